package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.netlink.ip.Ip;
import org.jspecify.annotations.Nullable;

/** Reads IPv4 addresses in the form that every controller writes, without creating a string. */
final class DottedQuad {
    private static final int SHORTEST = 7;
    private static final int LONGEST = 15;

    private DottedQuad() {}

    /** Null when it is not four plain numbers; then the general parser decides. */
    static @Nullable Ip read(byte[] bytes, int at, int length) {
        if (length < SHORTEST || length > LONGEST) {
            return null;
        }
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
}
