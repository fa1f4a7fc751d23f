package io.dualstackd.dataplane.counters;

import io.dualstackd.netlink.nft.expr.Counter;

/**
 * The count of one rule, through all rules that took its place. Compared by identity.
 *
 * <p>It is the value of the kernel's counter, and {@code base}: what is not in that counter, because it was reset, another program wrote the
 * rule anew, or the count was read between the moment in which the new rule got its start value and the one in which it came into force.
 */
final class RuleCount {
    private long handle;
    private Counter last = Counter.ZERO;
    private long base;
    private long shown;
    /** The start value of the rule that was last written. */
    private long given;

    /** The replacement of tables that put its rule into force; 0 for an earlier one. */
    private long placedBy;

    private boolean unwanted;

    /** The count. Never decreases. */
    long shown() {
        return shown;
    }

    /** Takes over a value of the kernel. */
    void read(long ofHandle, Counter value) {
        long packets = value.packets();
        if (ofHandle == handle) {
            base += packets < last.packets() ? last.packets() : 0;
        } else if (handle != 0) {
            base = packets < given ? shown : Math.max(0, shown - given);
        }
        handle = ofHandle;
        last = value;
        shown = Math.max(shown, base + packets);
    }

    /** Takes over a value of a kernel whose rules have no handles, as it was after {@code replacement}; the value of a former rule is nothing. */
    void readAfter(long replacement, Counter value) {
        if (placedBy <= replacement) {
            read(placedBy + 1, value);
        }
    }

    /** Its rule was put into force by a replacement of the tables, with the value of {@link #give}. */
    void placedBy(long replacement) {
        placedBy = replacement;
    }

    /** The start value for a rule that takes the place of this one. */
    Counter give() {
        given = shown;
        return shown == 0 ? Counter.ZERO : new Counter(shown, last.bytes());
    }

    /** Whether its Service does not want the destination any more. */
    boolean isUnwanted() {
        return unwanted;
    }

    /** Its Service does not want the destination any more; the rule may still be in the kernel for a moment. */
    void leave() {
        unwanted = true;
    }
}
