package io.dualstackd.netlink.route;

/** One thing to change about a link; several go into one message. */
public sealed interface LinkChange {
    /** {@code ip link set up}. */
    record Up() implements LinkChange {}

    /** {@code ip link set down}; its routes and IPv6 addresses go. */
    record Down() implements LinkChange {}

    /** @param name at most 15 bytes */
    record Rename(String name) implements LinkChange {}

    record Mtu(int bytes) implements LinkChange {}

    record Mac(MacAddress address) implements LinkChange {}

    /** Plugs it into a bridge; index 0 takes it out. */
    record Master(int index) implements LinkChange {}

    /**
     * Moves it to another network namespace, where it arrives down and without addresses.
     *
     * @param netNs descriptor of the namespace
     */
    record MoveTo(int netNs) implements LinkChange {}
}
