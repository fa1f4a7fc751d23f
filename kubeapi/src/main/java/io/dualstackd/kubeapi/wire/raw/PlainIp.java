package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.netlink.ip.Ip;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of an address as every controller writes it, without a string: lists of endpoints consist mostly of addresses. All other forms,
 * and everything that is wrong, are for {@link Ip#parse}.
 */
final class PlainIp {
    private static final int SHORTEST_IPV4 = 7;
    private static final int LONGEST_IPV4 = 15;
    private static final int SHORTEST_IPV6 = 2;
    private static final int LONGEST_IPV6 = 39;
    private static final int GROUPS = 8;
    private static final int GROUP_DIGITS = 4;

    private PlainIp() {}

    /** Returns null for another form than {@code 10.0.0.1} and {@code fd00::1}: it may still be an address. */
    static @Nullable Ip read(byte[] bytes, int at, int length) {
        if (length >= SHORTEST_IPV4 && length <= LONGEST_IPV4 && hasDot(bytes, at)) {
            return dottedQuad(bytes, at, length);
        }
        return length >= SHORTEST_IPV6 && length <= LONGEST_IPV6 ? colonHex(bytes, at, length) : null;
    }

    private static boolean hasDot(byte[] bytes, int at) {
        return bytes[at + 1] == '.' || bytes[at + 2] == '.' || bytes[at + 3] == '.';
    }

    private static @Nullable Ip dottedQuad(byte[] bytes, int at, int length) {
        int bits = 0;
        int octet = 0;
        int digits = 0;
        int dots = 0;
        for (int i = at; i < at + length; i++) {
            int c = bytes[i];
            if (c == '.' && digits > 0 && dots < 3) {
                bits = bits << 8 | octet;
                octet = 0;
                digits = 0;
                dots++;
            } else if (c >= '0' && c <= '9' && !(digits > 0 && octet == 0)) {
                octet = octet * 10 + c - '0';
                digits++;
                if (octet > 255) {
                    return null;
                }
            } else {
                return null;
            }
        }
        return dots == 3 && digits > 0 ? new Ip.V4(bits << 8 | octet) : null;
    }

    /** From the last digit to the first, so that a group of fewer than four needs no shift afterwards. */
    private static @Nullable Ip colonHex(byte[] bytes, int at, int length) {
        long high = 0;
        long low = 0;
        boolean gap = false;
        int group = 0;
        int digits = 0;
        for (int i = at + length - 1; i >= at; i--) {
            int c = bytes[i];
            if (c != ':') {
                int digit = hex(c);
                if (digit < 0 || digits == GROUP_DIGITS || group == GROUPS) {
                    return null;
                }
                int bit = 4 * (GROUP_DIGITS * group + digits);
                digits++;
                low |= bit < Long.SIZE ? (long) digit << bit : 0;
                high |= bit < Long.SIZE ? 0 : (long) digit << (bit - Long.SIZE);
            } else if (i == at || bytes[i - 1] != ':') {
                if (digits == 0) {
                    return null;
                }
                group++;
                digits = 0;
            } else {
                boolean last = i == at + length - 1;
                int before = groups(bytes, at, i - 1);
                if (gap || (digits == 0) != last || before + (last ? 0 : group + 1) >= GROUPS) {
                    return null;
                }
                gap = true;
                group = GROUPS - before;
                digits = 0;
                i--;
            }
        }
        boolean endsInGap = gap && group == GROUPS;
        boolean complete = endsInGap || (digits > 0 && group == GROUPS - 1);
        // An IPv4-mapped address is read as IPv4, or refused.
        return complete && (high != 0 || low >>> 32 != 0xffff) ? new Ip.V6(high, low) : null;
    }

    /** The groups of hexadecimal digits in a part of an address. */
    private static int groups(byte[] bytes, int from, int to) {
        int groups = from < to ? 1 : 0;
        for (int i = from; i < to; i++) {
            groups += bytes[i] == ':' ? 1 : 0;
        }
        return groups;
    }

    private static int hex(int c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = c | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
