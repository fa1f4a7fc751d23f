package io.dualstackd.netlink.route;

/** One change of a link; several go into one message. */
public sealed interface LinkChange {
    /** {@code ip link set up}. */
    record Up() implements LinkChange {}

    /** {@code ip link set down}; its routes and IPv6 addresses are removed. */
    record Down() implements LinkChange {}

    /** @param name at most 15 bytes */
    record Rename(String name) implements LinkChange {}

    record Mtu(int bytes) implements LinkChange {}

    record Mac(MacAddress address) implements LinkChange {}

    /** Makes it a port of a bridge; index 0 removes it from its bridge. */
    record Master(int index) implements LinkChange {}

    /**
     * Moves it to another network namespace, where it is down and without addresses.
     *
     * @param netNs file descriptor of the namespace
     */
    record MoveTo(int netNs) implements LinkChange {}
}
