package io.dualstackd.nodeaddr.io;

/** The part of a host that has to be read again. Each includes the ones before it. */
enum RefreshScope {
    NOTHING,
    LINKS_AND_ADDRESSES,
    /** Default routes, too: the kernel sends the whole table for them. */
    ALL;

    RefreshScope and(RefreshScope other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
