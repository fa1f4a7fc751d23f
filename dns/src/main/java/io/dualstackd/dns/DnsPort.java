package io.dualstackd.dns;

import io.dualstackd.netlink.ip.Proto;
import java.util.Locale;

/**
 * A port of a Service or of its endpoints.
 *
 * @param name may be empty
 * @param port 1 to 65535, or {@link #NONE}
 */
public record DnsPort(String name, Proto protocol, int port) {
    /** The port of a slice without a port: the addresses are used, and there is no {@code SRV} record. */
    public static final int NONE = -1;

    public DnsPort {
        name = name.toLowerCase(Locale.ROOT);
    }
}
