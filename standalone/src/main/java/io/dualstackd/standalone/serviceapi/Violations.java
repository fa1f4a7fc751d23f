package io.dualstackd.standalone.serviceapi;

import java.util.ArrayList;
import java.util.List;

/** Collects the rules that a write breaks. Of each field only the first is kept, and nothing about the fields below it. */
public final class Violations {
    private final List<Rejection> rejections = new ArrayList<>();

    void reject(String field, String value, String rule) {
        add(new Rejection(field, value, rule));
    }

    void add(Rejection rejection) {
        if (rejections.stream().noneMatch(known -> contains(known.field(), rejection.field()))) {
            rejections.add(rejection);
        }
    }

    /** Whether a field is another one, or contains it. */
    public static boolean contains(String outer, String field) {
        return field.startsWith(outer)
                && (field.length() == outer.length() || ".[".indexOf(field.charAt(outer.length())) >= 0);
    }

    /** Adds all of them, even several of one field. */
    void addAll(List<Rejection> more) {
        rejections.addAll(more);
    }

    boolean isEmpty() {
        return rejections.isEmpty();
    }

    /** True when none is about these fields or fields below them. */
    boolean isEmptyFor(List<String> fields) {
        return rejections.stream().noneMatch(rejection -> fields.stream().anyMatch(rejection.field()::startsWith));
    }

    ServiceRules.Answer rejected() {
        return new ServiceRules.Answer.Rejected(rejections);
    }
}
