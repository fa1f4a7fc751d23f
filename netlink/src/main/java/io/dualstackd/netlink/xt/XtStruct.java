package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.Bytes;

/**
 * One revision of one extension's C structure.
 *
 * @param size {@code sizeof} on 64-bit machines, without the padding after it
 * @param userSize number of significant bytes; the rest is private to the kernel, which returns zeros instead
 */
public record XtStruct(String name, int revision, int size, int userSize) {
    public static final XtStruct COMMENT = of("comment", 0, 256);
    public static final XtStruct ADDRTYPE = of("addrtype", 1, 8);
    public static final XtStruct CONNTRACK = of("conntrack", 3, 164);
    public static final XtStruct STATISTIC = new XtStruct("statistic", 0, 24, 16);
    public static final XtStruct RECENT = of("recent", 1, 228);
    public static final XtStruct MARK_MATCH = of("mark", 1, 12);
    public static final XtStruct PHYSDEV = of("physdev", 0, 66);
    public static final XtStruct TCP = of("tcp", 0, 12);
    public static final XtStruct UDP = of("udp", 0, 10);
    public static final XtStruct SCTP = of("sctp", 0, 292);
    public static final XtStruct MULTIPORT = of("multiport", 1, 48);
    public static final XtStruct NFACCT = new XtStruct("nfacct", 1, 40, 32);

    public static final XtStruct DNAT = of("DNAT", 2, 44);
    public static final XtStruct MASQUERADE_4 = of("MASQUERADE", 0, 20);
    public static final XtStruct MASQUERADE_6 = of("MASQUERADE", 0, 40);
    public static final XtStruct MARK_TARGET = of("MARK", 2, 8);
    public static final XtStruct REJECT = of("REJECT", 0, 4);

    private static final int ALIGNMENT = 8;

    private static XtStruct of(String name, int revision, int size) {
        return new XtStruct(name, revision, size, size);
    }

    /** {@code XT_ALIGN}: up to the next multiple of eight, as the kernel aligns structures. */
    public static int align(int length) {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** Bytes on the wire. */
    public int alignedSize() {
        return align(size);
    }

    boolean is(String otherName, int otherRevision) {
        return revision == otherRevision && name.equals(otherName);
    }

    /** The significant bytes, padded to the full length, for comparing two structures. */
    Bytes meaning(Bytes info) {
        return userSize == size ? info : info.first(userSize).padTo(info.length());
    }

    @Override
    public String toString() {
        return name + " rev " + revision;
    }
}
