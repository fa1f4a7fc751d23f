package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The kind of a virtual device ({@code IFLA_LINKINFO}). */
public sealed interface LinkKind {
    /** Attributes of {@code IFLA_LINKINFO} that are not decoded, for example the state as port of a bridge. */
    List<RawAttr> others();

    /** A device without a kind: a network card, {@code lo}. */
    record Plain(List<RawAttr> others) implements LinkKind {
        public Plain {
            others = List.copyOf(others);
        }

        @Override
        public String toString() {
            return "plain";
        }
    }

    /**
     * One end of a veth pair.
     *
     * @param peer the other end, when the pair is created; the kernel does not report it
     */
    record Veth(Optional<Peer> peer, List<RawAttr> others) implements LinkKind {
        public Veth {
            others = List.copyOf(others);
        }

        @Override
        public String toString() {
            return "veth" + peer.map(p -> " peer " + p).orElse("");
        }
    }

    /**
     * A bridge.
     *
     * @param settings the attributes {@code IFLA_BR_*}, not decoded; empty leaves them to the kernel
     */
    record Bridge(Bytes settings, List<RawAttr> others) implements LinkKind {
        public Bridge {
            others = List.copyOf(others);
        }

        @Override
        public String toString() {
            return "bridge";
        }
    }

    /**
     * Any other kind.
     *
     * @param name the kernel's name: {@code vlan}, {@code wireguard}
     * @param settings {@code IFLA_INFO_DATA}, not decoded
     */
    record Other(String name, Optional<Bytes> settings, List<RawAttr> others) implements LinkKind {
        public Other {
            others = List.copyOf(others);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * The other end of a veth pair that is being created.
     *
     * @param netNs the file descriptor of its namespace; absent means that of the first end
     */
    record Peer(String name, OptionalInt netNs, List<RawAttr> others) {
        public Peer {
            others = List.copyOf(others);
        }

        @Override
        public String toString() {
            return name + (netNs.isPresent() ? " netns fd " + netNs.getAsInt() : "");
        }
    }

    static LinkKind plain() {
        return new Plain(List.of());
    }

    static LinkKind bridge() {
        return new Bridge(Bytes.EMPTY, List.of());
    }

    /** A veth pair with both ends in the same namespace. */
    static LinkKind veth(String peer) {
        return new Veth(Optional.of(new Peer(peer, OptionalInt.empty(), List.of())), List.of());
    }

    /** A veth pair with the other end in the namespace of the file descriptor {@code netNs}. */
    static LinkKind veth(String peer, int netNs) {
        return new Veth(Optional.of(new Peer(peer, OptionalInt.of(netNs), List.of())), List.of());
    }
}
