package io.dualstackd.netlink.ipvs;

/**
 * A virtual server.
 *
 * @param scheduler name of the algorithm: {@code rr}, {@code lc}, …
 * @param flags {@code IP_VS_SVC_F_*}
 * @param timeoutSeconds how long a client stays with its destination after its last connection; only used with {@link #PERSISTENT}
 * @param prefixLength how many bits of a client's address identify it, 1 to 32 or 128; the kernel's default is all of them
 */
public record IpvsService(IpvsKey key, String scheduler, int flags, int timeoutSeconds, int prefixLength) {
    /** {@code IP_VS_SVC_F_PERSISTENT}: clients stay with their destination. */
    public static final int PERSISTENT = 0x01;
    /** {@code IP_VS_SVC_F_HASHED}: set by the kernel, always present when read. */
    public static final int HASHED = 0x02;
    /** {@code IP_VS_SVC_F_SCHED2}: schedulers that hash sources take the port into account, too. */
    public static final int HASH_PORTS = 0x10;

    public IpvsService {
        if (prefixLength < 1 || prefixLength > key.family().bits()) {
            throw new IllegalArgumentException("prefix length " + prefixLength + " of " + key + " is not in 1.."
                    + key.family().bits());
        }
        flags &= ~HASHED;
    }

    /**
     * A virtual server listed by the kernel.
     *
     * @param connections that it has had since it was made
     */
    public record Listed(IpvsService service, long connections) {}

    /** As {@code ipvsadm} prints it: {@code tcp 10.96.0.1:443 rr persistent 10800}. */
    @Override
    public String toString() {
        return key + " " + scheduler
                + ((flags & PERSISTENT) == 0 ? "" : " persistent " + timeoutSeconds)
                + ((flags & HASH_PORTS) == 0 ? "" : " flags " + Integer.toHexString(flags));
    }
}
