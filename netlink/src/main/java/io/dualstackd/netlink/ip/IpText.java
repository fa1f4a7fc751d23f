package io.dualstackd.netlink.ip;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads and writes the text of addresses: RFC 4291 §2.2 for input, RFC 5952 for output. */
final class IpText {
    private static final int SHORTEST_V4 = 7;
    private static final int LONGEST_V4 = 15;
    private static final int LONGEST_V6 = 39;
    /** An IPv6 address in brackets, and a port. */
    private static final int LONGEST_WITH_PORT = LONGEST_V6 + 8;

    private static final byte[] MAPPED = "::ffff:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** All digits come after a dot, and after the end of the text. */
    private static final int ANY = 0;
    /** Only the digits a to f come after a colon or a bracket. */
    private static final int LETTER = 10;

    private IpText() {}

    static String print(Ip ip) {
        byte[] text = new byte[LONGEST_V6];
        return ascii(text, append(text, 0, ip));
    }

    static String print(IpPort at) {
        byte[] text = new byte[LONGEST_WITH_PORT];
        boolean brackets = at.ip().family() == IpFamily.IPV6;
        int end = 0;
        if (brackets) {
            text[end++] = '[';
        }
        end = append(text, end, at.ip());
        if (brackets) {
            text[end++] = ']';
        }
        text[end++] = ':';
        return ascii(text, appendDecimal(text, end, at.port()));
    }

    private static String ascii(byte[] text, int length) {
        return new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** Appends an address to the text, which has this length; returns the new length. */
    private static int append(byte[] text, int length, Ip ip) {
        return switch (ip) {
            case Ip.V4(int bits) -> appendQuad(text, length, bits);
            case Ip.V6 v6 -> append(text, length, v6);
        };
    }

    private static int appendQuad(byte[] text, int length, int bits) {
        int end = length;
        for (int shift = 24; shift >= 0; shift -= 8) {
            end = appendDecimal(text, end, bits >>> shift & 0xff);
            if (shift > 0) {
                text[end++] = '.';
            }
        }
        return end;
    }

    private static int append(byte[] text, int length, Ip.V6 ip) {
        int end = length;
        if (isMapped(ip)) {
            System.arraycopy(MAPPED, 0, text, end, MAPPED.length);
            return appendQuad(text, end + MAPPED.length, (int) ip.low());
        }
        int[] groups = new int[8];
        for (int i = 0; i < 4; i++) {
            groups[i] = (int) (ip.high() >>> (48 - 16 * i)) & 0xffff;
            groups[i + 4] = (int) (ip.low() >>> (48 - 16 * i)) & 0xffff;
        }
        int gap = longestZeroRun(groups);
        int gapEnd = gap < 0 ? -1 : gap + zeroRun(groups, gap);
        for (int i = 0; i < 8; i++) {
            if (i == gap) {
                text[end++] = ':';
                text[end++] = ':';
                i = gapEnd - 1;
            } else {
                if (i > 0 && i != gapEnd) {
                    text[end++] = ':';
                }
                end = appendHex(text, end, groups[i]);
            }
        }
        return end;
    }

    /** As {@link IpPort#compareAsText}. */
    static int compare(IpPort one, IpPort other) {
        if (one.ip().equals(other.ip())) {
            return compareDecimal(one.port(), other.port(), ANY);
        }
        if (one.ip() instanceof Ip.V4(int bits) && other.ip() instanceof Ip.V4(int others)) {
            return compareQuads(bits, others);
        }
        if (one.ip() instanceof Ip.V6 v6 && other.ip() instanceof Ip.V6 others && areAlike(v6, others)) {
            return v6.high() == others.high()
                    ? compareGroups(v6.low(), others.low())
                    : compareGroups(v6.high(), others.high());
        }
        return print(one).compareTo(print(other));
    }

    private static int compareQuads(int one, int other) {
        int shift = 24 - (Integer.numberOfLeadingZeros(one ^ other) & ~7);
        return compareDecimal(one >>> shift & 0xff, other >>> shift & 0xff, shift > 0 ? ANY : LETTER);
    }

    /** Whether the texts of two addresses have the same groups left out, and no IPv4 part. */
    private static boolean areAlike(Ip.V6 one, Ip.V6 other) {
        return !isMapped(one)
                && !isMapped(other)
                && zeroGroups(one.high()) == zeroGroups(other.high())
                && zeroGroups(one.low()) == zeroGroups(other.low());
    }

    /** Which of four groups are zero, a bit for each. */
    private static int zeroGroups(long half) {
        return (half >>> 48 == 0 ? 8 : 0)
                | ((half >>> 32 & 0xffff) == 0 ? 4 : 0)
                | ((half >>> 16 & 0xffff) == 0 ? 2 : 0)
                | ((half & 0xffff) == 0 ? 1 : 0);
    }

    /** Compares the first of four groups that differs. */
    private static int compareGroups(long one, long other) {
        int shift = 48 - (Long.numberOfLeadingZeros(one ^ other) & ~15);
        int group = (int) (one >>> shift) & 0xffff;
        int others = (int) (other >>> shift) & 0xffff;
        return compareDigits(group, hexDigits(group), others, hexDigits(others), 16, LETTER);
    }

    private static int compareDecimal(int one, int other, int behind) {
        return compareDigits(one, decimalDigits(one), other, decimalDigits(other), 10, behind);
    }

    /**
     * Compares the texts of two numbers.
     *
     * @param behind the first digit that comes after the character behind the number: {@link #ANY} or {@link #LETTER}
     */
    private static int compareDigits(int one, int digits, int other, int others, int base, int behind) {
        int head = one;
        int otherHead = other;
        int next = 0;
        for (int i = digits; i > others; i--) {
            next = head % base;
            head /= base;
        }
        for (int i = others; i > digits; i--) {
            next = otherHead % base;
            otherHead /= base;
        }
        if (head != otherHead || digits == others) {
            return Integer.compare(head, otherHead);
        }
        boolean isShorterFirst = next >= behind;
        return digits < others == isShorterFirst ? -1 : 1;
    }

    /** An IPv4-mapped address, {@code ::ffff:0:0/96}. */
    private static boolean isMapped(Ip.V6 ip) {
        return ip.high() == 0 && ip.low() >>> 32 == 0xffff;
    }

    /** Appends a number of at most five digits, as {@link #append}. */
    private static int appendDecimal(byte[] text, int length, int number) {
        int digits = decimalDigits(number);
        int rest = number;
        for (int i = length + digits - 1; i >= length; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return length + digits;
    }

    /** Appends a group without leading zeros, as {@link #append}. */
    private static int appendHex(byte[] text, int length, int group) {
        int end = length;
        for (int shift = 4 * (hexDigits(group) - 1); shift >= 0; shift -= 4) {
            text[end++] = HEX[group >>> shift & 0xf];
        }
        return end;
    }

    private static int decimalDigits(int number) {
        return number > 9999 ? 5 : number > 999 ? 4 : number > 99 ? 3 : number > 9 ? 2 : 1;
    }

    private static int hexDigits(int group) {
        return group > 0xfff ? 4 : group > 0xff ? 3 : group > 0xf ? 2 : 1;
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
        if (isMapped(ip)) {
            if (lenient) {
                return new Ip.V4((int) ip.low());
            }
            throw bad(text, "an IPv4-mapped IPv6 address names an IPv4 host; write it as IPv4");
        }
        return ip;
    }

    /** As {@link Ip#parsePlain}: no strings and few objects, because lists of endpoints consist mostly of addresses. */
    static @Nullable Ip parsePlain(byte[] text, int at, int length) {
        if (length > LONGEST_V6) {
            return null;
        }
        for (int i = at; i < at + length; i++) {
            if (text[i] == ':') {
                return plainV6(text, at, at + length);
            }
        }
        return plainV4(text, at, length);
    }

    private static @Nullable Ip plainV4(byte[] text, int at, int length) {
        if (length < SHORTEST_V4 || length > LONGEST_V4) {
            return null;
        }
        int bits = 0;
        int octet = 0;
        int digits = 0;
        int dots = 0;
        for (int i = at; i < at + length; i++) {
            int c = text[i];
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

    private static @Nullable Ip plainV6(byte[] text, int at, int end) {
        // The groups before "::", and their number, or -1 without "::"; then those behind it, or all.
        long headHigh = 0;
        long headLow = 0;
        int head = -1;
        long high = 0;
        long low = 0;
        int count = 0;
        int i = at;
        if (text[i] == ':' && i + 1 < end && text[i + 1] == ':') {
            head = 0;
            i += 2;
        }
        while (i < end) {
            int from = i;
            int group = 0;
            for (int digit = hex(text[i]); digit >= 0; digit = i < end ? hex(text[i]) : -1) {
                group = group << 4 | digit;
                i++;
            }
            if (i == from || i - from > 4 || count == 8) {
                return null;
            }
            high = high << 16 | low >>> 48;
            low = low << 16 | group;
            count++;
            if (i == end) {
                break;
            }
            if (text[i++] != ':' || i == end) {
                return null;
            }
            if (text[i] == ':') {
                if (head >= 0) {
                    return null;
                }
                head = count;
                headHigh = high;
                headLow = low;
                high = 0;
                low = 0;
                i++;
            }
        }
        if (head < 0 ? count != 8 : count > 7) {
            return null;
        }
        if (head > 0) {
            int shift = 128 - 16 * head;
            high |= shift >= 64 ? headLow << (shift - 64) : headHigh << shift | headLow >>> (64 - shift);
            low |= shift >= 64 ? 0 : headLow << shift;
        }
        Ip.V6 ip = new Ip.V6(high, low);
        return isMapped(ip) ? null : ip;
    }

    /** The value of a hexadecimal digit, or -1. */
    private static int hex(byte c) {
        int lower = c | 0x20;
        return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
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
