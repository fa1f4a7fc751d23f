package io.dualstackd.standalone.serviceapi;

import java.util.ArrayList;
import java.util.List;

/** Collects the rules that a write breaks; of each field only the first is kept. */
final class Violations {
    private final List<Rejection> rejections = new ArrayList<>();

    void reject(String field, String value, String rule) {
        add(new Rejection(field, value, rule));
    }

    void add(Rejection rejection) {
        if (rejections.stream().noneMatch(known -> known.field().equals(rejection.field()))) {
            rejections.add(rejection);
        }
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
