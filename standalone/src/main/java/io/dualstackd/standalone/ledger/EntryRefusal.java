package io.dualstackd.standalone.ledger;

import io.dualstackd.standalone.serviceapi.Rejection;
import java.util.List;

/**
 * Why an object in a file is not in force.
 *
 * @param rejections at least one
 * @param waits whether the only reason is that a number is not free: then it is tried again when one is released
 */
public record EntryRefusal(List<Rejection> rejections, boolean waits) {
    public EntryRefusal {
        rejections = List.copyOf(rejections);
    }

    static EntryRefusal rule(List<Rejection> rejections) {
        return new EntryRefusal(rejections, false);
    }

    static EntryRefusal number(String field, String value, String rule) {
        return new EntryRefusal(List.of(new Rejection(field, value, rule)), true);
    }
}
