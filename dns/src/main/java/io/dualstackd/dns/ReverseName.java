package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsName;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.Optional;

/**
 * A name below {@code in-addr.arpa} or {@code ip6.arpa}.
 *
 * @param network the addresses below the name
 * @param exact false when further labels precede that are not digits of an address
 */
record ReverseName(IpPrefix network, boolean exact) {
    private static final DnsName IPV4 = DnsName.parse("in-addr.arpa");
    private static final DnsName IPV6 = DnsName.parse("ip6.arpa");

    /** Parses a name; empty for names in other domains. */
    static Optional<ReverseName> of(DnsName name) {
        if (name.isIn(IPV4)) {
            return Optional.of(of(name, IpFamily.IPV4));
        }
        return name.isIn(IPV6) ? Optional.of(of(name, IpFamily.IPV6)) : Optional.empty();
    }

    /** Returns the reverse name of an address. */
    static DnsName of(Ip ip) {
        StringBuilder text = new StringBuilder();
        for (int i = ip.family().bytes() - 1; i >= 0; i--) {
            int b = ip.byteAt(i);
            if (ip.family() == IpFamily.IPV4) {
                text.append(b).append('.');
            } else {
                text.append(Integer.toHexString(b & 0xf)).append('.');
                text.append(Integer.toHexString(b >> 4)).append('.');
            }
        }
        return DnsName.parse(text + (ip.family() == IpFamily.IPV4 ? IPV4 : IPV6).toString());
    }

    private static ReverseName of(DnsName name, IpFamily family) {
        int bits = bitsPerLabel(family);
        int labels = name.labels() - 2;
        byte[] address = new byte[family.bytes()];
        int read = 0;
        while (read < labels && read * bits < family.bits()) {
            int digit = digit(name.label(labels - 1 - read), family);
            if (digit < 0) {
                break;
            }
            int at = read * bits / 8;
            address[at] |= (byte) (family == IpFamily.IPV4 || read % 2 == 1 ? digit : digit << 4);
            read++;
        }
        return new ReverseName(new IpPrefix(Ip.ofBytes(address), read * bits), read == labels);
    }

    private static int digit(String label, IpFamily family) {
        if (family == IpFamily.IPV6) {
            return label.length() == 1 ? Character.digit(label.charAt(0), 16) : -1;
        }
        boolean plain = label.length() <= 3
                && label.chars().allMatch(c -> c >= '0' && c <= '9')
                && (label.length() == 1 || label.charAt(0) != '0');
        int value = plain ? Integer.parseInt(label) : -1;
        return value < 256 ? value : -1;
    }

    static int bitsPerLabel(IpFamily family) {
        return family == IpFamily.IPV4 ? 8 : 4;
    }

    /** The address, when the name consists of exactly that address. */
    Optional<Ip> address() {
        return exact && network.length() == network.family().bits() ? Optional.of(network.address()) : Optional.empty();
    }

    /** Returns the number of digits in the name of the zone for {@code network}: a network may be several zones. */
    static int zoneDigits(IpPrefix network) {
        int bits = bitsPerLabel(network.family());
        return (network.length() + bits - 1) / bits;
    }
}
