package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What sort of virtual device a link is ({@code IFLA_LINKINFO}). */
public sealed interface LinkKind {
    /** Attributes of {@code IFLA_LINKINFO} that are not ours to know, for example the state as port of a bridge. */
    List<RawAttr> others();

    /** A device of its own: a network card, {@code lo}. */
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
     * One end of a cable whose other end is a veth, too.
     *
     * @param peer the other end, when the pair is made; the kernel does not report it
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
     * A switch.
     *
     * @param settings the attributes {@code IFLA_BR_*}, undecoded; empty leaves them to the kernel
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
     * @param name the kernel's word: {@code vlan}, {@code wireguard}
     * @param settings {@code IFLA_INFO_DATA}, undecoded
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
     * The other end of a veth that is being made.
     *
     * @param netNs the descriptor of the namespace to put it in; absent means beside the first end
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

    /** Both ends in the same namespace. */
    static LinkKind veth(String peer) {
        return new Veth(Optional.of(new Peer(peer, OptionalInt.empty(), List.of())), List.of());
    }

    /** The other end in the namespace that {@code netNs} is a descriptor of. */
    static LinkKind veth(String peer, int netNs) {
        return new Veth(Optional.of(new Peer(peer, OptionalInt.of(netNs), List.of())), List.of());
    }
}
