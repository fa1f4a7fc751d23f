package io.dualstackd.netlink.route;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;

/** Reads address families and values that depend on them. */
final class Families {
    private Families() {}

    /** Reads one byte, {@code AF_INET} or {@code AF_INET6}. */
    static IpFamily read(NlReader reader) throws DecodeException {
        int number = reader.u8();
        for (IpFamily family : IpFamily.values()) {
            if (family.number() == number) {
                return family;
            }
        }
        throw reader.error("want address family 2 or 10, got " + number);
    }

    /** Reads one byte, a prefix length. */
    static int length(NlReader reader, IpFamily family) throws DecodeException {
        int length = reader.u8();
        if (length > family.bits()) {
            throw reader.error("want a prefix length of 0.." + family.bits() + ", got " + length);
        }
        return length;
    }

    static void check(NlReader reader, IpFamily family, Ip ip) throws DecodeException {
        if (ip.family() != family) {
            throw reader.error("want an " + family + " address, got " + ip);
        }
    }
}
