package io.dualstackd.standalone.serviceapi;

import java.util.ArrayList;
import java.util.List;

/** The rules a write breaks, as they are found; of one field the first is enough. */
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

    /** All of them, also several of one field. */
    void addAll(List<Rejection> more) {
        rejections.addAll(more);
    }

    boolean isEmpty() {
        return rejections.isEmpty();
    }

    /** True when none is about these fields or what is in them. */
    boolean isEmptyFor(List<String> fields) {
        return rejections.stream().noneMatch(rejection -> fields.stream().anyMatch(rejection.field()::startsWith));
    }

    ServiceRules.Answer rejected() {
        return new ServiceRules.Answer.Rejected(rejections);
    }
}
