package io.dualstackd.netlink.ip;

import java.util.Locale;

/** Protocols by their names. */
public final class Protos {
    private Protos() {}

    /** Returns {@code TCP}, {@code udp}, {@code Sctp}: the protocols of a Service port, in any case. */
    public static Proto named(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "TCP" -> Proto.TCP;
            case "UDP" -> Proto.UDP;
            case "SCTP" -> Proto.SCTP;
            default -> throw new IllegalArgumentException("\"" + name + "\" is not one of TCP, UDP, SCTP");
        };
    }
}
