package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.Optional;

/** Reads addresses written by other programs, as leniently as Kubernetes does. */
final class LenientIp {
    private LenientIp() {}

    static Optional<Ip> read(String text) {
        try {
            return Optional.of(Ip.parseLenient(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
