package io.dualstackd.kubeapi.objects;

/** How objects of a text are to be read. */
public enum Dialect {
    /** As they are in force: a Service has its defaults, addresses and node ports, or goes without. */
    STORED,

    /**
     * As an author writes them to an API server: a Service becomes a {@link WrittenService}, of which only the kinds of values are
     * checked; an {@link IpAddress} counts.
     */
    WRITTEN
}
