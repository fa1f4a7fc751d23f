package io.dualstackd.kubeapi.objects;

/** The rules by which objects of a text are read. */
public enum Dialect {
    /** As stored by an API server: a Service has its defaults, addresses and node ports, or is used without. */
    STORED,

    /**
     * As written for an API server: a Service becomes a {@link WrittenService}, of which only the types of values are
     * checked; an {@link IpAddress} is read, too.
     */
    WRITTEN
}
