package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Rewrites the source to the outgoing device's address: {@code struct nf_nat_ipv4_multi_range_compat} for IPv4,
 * {@code struct nf_nat_range} for IPv6.
 *
 * @param flags {@code NF_NAT_RANGE_*}: {@link #RANDOM_FULLY} …
 * @param portMin lowest source port, 0 to leave ports alone (and {@link #PORTS} must be in the flags otherwise)
 */
public record XtMasquerade(IpFamily family, int flags, int portMin, int portMax) implements XtTarget {
    public static final int PORTS = 1 << 1;
    public static final int RANDOM = 1 << 2;
    public static final int RANDOM_FULLY = 1 << 4;

    private static final int ONE_RANGE = 1;
    private static final int ADDRESS_6 = 16;

    /** Without ports; with {@code --random-fully} if wanted. */
    public static XtMasquerade of(IpFamily family, boolean fullyRandom) {
        return new XtMasquerade(family, fullyRandom ? RANDOM_FULLY : 0, 0, 0);
    }

    static XtMasquerade read(NlReader reader, IpFamily family) throws DecodeException {
        if (family == IpFamily.IPV4) {
            reader.skip(4);
            int flags = reader.u32();
            reader.skip(8);
            return new XtMasquerade(family, flags, reader.u16be(), reader.u16be());
        }
        int flags = reader.u32();
        reader.skip(2 * ADDRESS_6);
        return new XtMasquerade(family, flags, reader.u16be(), reader.u16be());
    }

    @Override
    public void writeTo(NlWriter writer) {
        if (family == IpFamily.IPV4) {
            writer.u32(ONE_RANGE);
            writer.u32(flags);
            writer.zeros(8);
        } else {
            writer.u32(flags);
            writer.zeros(2 * ADDRESS_6);
        }
        writer.u16be(portMin);
        writer.u16be(portMax);
    }

    @Override
    public String toString() {
        return "-j MASQUERADE"
                + ((flags & PORTS) == 0 ? "" : " --to-ports " + portMin + (portMax == portMin ? "" : "-" + portMax))
                + ((flags & RANDOM) == 0 ? "" : " --random") + ((flags & RANDOM_FULLY) == 0 ? "" : " --random-fully");
    }
}
