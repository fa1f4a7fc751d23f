package io.dualstackd.netlink.ip;

/** Reads and writes the text of addresses: RFC 4291 §2.2 for input, RFC 5952 for output. */
final class IpText {
    private IpText() {}

    static String print(Ip.V4 ip) {
        return ip.byteAt(0) + "." + ip.byteAt(1) + "." + ip.byteAt(2) + "." + ip.byteAt(3);
    }

    static String print(Ip.V6 ip) {
        if (ip.high() == 0 && ip.low() >>> 32 == 0xffff) {
            return "::ffff:" + print(new Ip.V4((int) ip.low()));
        }
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = ip.byteAt(2 * i) << 8 | ip.byteAt(2 * i + 1);
        }
        int gap = longestZeroRun(groups);
        int gapEnd = gap < 0 ? -1 : gap + zeroRun(groups, gap);
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++) {
            if (i == gap) {
                text.append("::");
                i = gapEnd - 1;
            } else {
                if (i > 0 && i != gapEnd) {
                    text.append(':');
                }
                appendHex(text, groups[i]);
            }
        }
        return text.toString();
    }

    /** Without leading zeros. */
    private static void appendHex(StringBuilder text, int group) {
        int digits = group > 0xfff ? 4 : group > 0xff ? 3 : group > 0xf ? 2 : 1;
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            text.append(Character.forDigit(group >>> shift & 0xf, 16));
        }
    }

    /** Start of the first longest run of two or more zero groups, or -1 (RFC 5952 §4.2). */
    private static int longestZeroRun(int[] groups) {
        int best = -1;
        int bestLength = 1;
        for (int i = 0; i < 8; i++) {
            int length = zeroRun(groups, i);
            if (length > bestLength) {
                best = i;
                bestLength = length;
            }
        }
        return best;
    }

    private static int zeroRun(int[] groups, int from) {
        int end = from;
        while (end < 8 && groups[end] == 0) {
            end++;
        }
        return end - from;
    }

    static Ip parse(String text, boolean lenient) {
        if (text.indexOf(':') < 0) {
            return new Ip.V4(parseV4(text, text, lenient));
        }
        Ip.V6 ip = parseV6(text);
        if (ip.high() == 0 && ip.low() >>> 32 == 0xffff) {
            if (lenient) {
                return new Ip.V4((int) ip.low());
            }
            throw bad(text, "an IPv4-mapped IPv6 address names an IPv4 host; write it as IPv4");
        }
        return ip;
    }

    private static int parseV4(String text, String whole, boolean lenient) {
        int bits = 0;
        int octets = 0;
        int at = 0;
        while (octets < 4) {
            int dot = octets == 3 ? text.length() : text.indexOf('.', at);
            if (dot < 0) {
                throw bad(whole, "IPv4 has four octets");
            }
            bits = bits << 8 | octet(text, at, dot, whole, lenient);
            at = dot + 1;
            octets++;
        }
        return bits;
    }

    /** Creates no objects, because lists of endpoints consist mostly of addresses: reads digits from {@code at} to before {@code end}. */
    private static int octet(String text, int at, int end, String whole, boolean lenient) {
        if (at == end) {
            throw bad(whole, "IPv4 has four decimal octets");
        }
        boolean large = false;
        int octet = 0;
        for (int i = at; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw bad(whole, "IPv4 has four decimal octets");
            }
            octet = octet * 10 + digit;
            large |= octet > 255;
            octet = large ? 0 : octet;
        }
        if (!lenient && end - at > 1 && text.charAt(at) == '0') {
            throw bad(whole, "an octet must not have leading zeros");
        }
        if (large) {
            throw bad(whole, "an octet must be 0 to 255");
        }
        return octet;
    }

    private static Ip.V6 parseV6(String text) {
        if (text.indexOf('%') >= 0) {
            throw bad(text, "a zone (\"%…\") is not allowed");
        }
        int gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            throw bad(text, "\"::\" may stand only once");
        }
        int[] groups = new int[8];
        if (gap < 0) {
            if (groups(text, 0, text.length(), groups) != 8) {
                throw bad(text, "IPv6 has eight groups");
            }
            return join(groups);
        }
        if (text.indexOf('.') >= 0 && text.indexOf('.') < gap) {
            throw bad(text, "an IPv4 part may stand only at the end");
        }
        int head = groups(text, 0, gap, groups);
        int[] tail = new int[8];
        int tailLength = groups(text, gap + 2, text.length(), tail);
        if (head + tailLength > 7) {
            throw bad(text, "\"::\" must stand for at least one group");
        }
        System.arraycopy(tail, 0, groups, 8 - tailLength, tailLength);
        return join(groups);
    }

    /** Reads the colon-separated groups from {@code from} to before {@code to} into {@code into} from index 0; returns their number. */
    private static int groups(String text, int from, int to, int[] into) {
        if (from == to) {
            return 0;
        }
        int count = 0;
        int at = from;
        while (at <= to) {
            int colon = text.indexOf(':', at, to);
            int end = colon < 0 ? to : colon;
            boolean dotted = colon < 0 && text.indexOf('.', at, to) >= 0;
            if (count + (dotted ? 2 : 1) > 8) {
                throw bad(text, "IPv6 has eight groups");
            }
            if (dotted) {
                int v4 = parseV4(text.substring(at, to), text, false);
                into[count++] = v4 >>> 16;
                into[count++] = v4 & 0xffff;
            } else {
                into[count++] = group(text, at, end, text);
            }
            at = end + 1;
        }
        return count;
    }

    /** Hexadecimal digits from {@code at} to before {@code end}. */
    private static int group(String text, int at, int end, String whole) {
        boolean good = end > at && end - at <= 4;
        int group = 0;
        for (int i = at; good && i < end; i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            good = digit >= 0;
            group = group << 4 | digit;
        }
        if (!good) {
            throw bad(whole, "a group is one to four hexadecimal digits");
        }
        return group;
    }

    private static Ip.V6 join(int[] groups) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < 4; i++) {
            high = high << 16 | groups[i];
            low = low << 16 | groups[i + 4];
        }
        return new Ip.V6(high, low);
    }

    private static IllegalArgumentException bad(String text, String rule) {
        return new IllegalArgumentException("\"" + text + "\" is not an IP address: " + rule);
    }
}
