package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Bodies of {@code RTM_NEWLINK}, {@code RTM_DELLINK}, {@code RTM_SETLINK}, {@code RTM_GETLINK}. */
public final class LinkCodec {
    private static final int AF_UNSPEC = 0;
    /** {@code RTEXT_FILTER_SKIP_STATS}: leave out the IPv6 and per-VF counters, a third of the answer that is not used here. */
    private static final int SKIP_STATS = 8;

    private LinkCodec() {}

    public static Link read(NlReader reader) throws DecodeException {
        reader.skip(2);
        int type = reader.u16();
        int index = reader.u32();
        int flags = reader.u32();
        reader.skip(4);
        Attrs attrs = reader.attrs(LinkAttrs.TABLE);
        return new Link(
                index,
                attrs.get(LinkAttrs.IFNAME, ""),
                type,
                flags,
                attrs.has(LinkAttrs.OPERSTATE)
                        ? Optional.of(new OperState(attrs.get(LinkAttrs.OPERSTATE)))
                        : Optional.empty(),
                number(attrs, LinkAttrs.MTU),
                number(attrs, LinkAttrs.MASTER),
                number(attrs, LinkAttrs.LINK),
                attrs.has(LinkAttrs.ADDRESS)
                        ? Optional.of(new MacAddress(attrs.get(LinkAttrs.ADDRESS)))
                        : Optional.empty(),
                attrs.has(LinkAttrs.LINKINFO)
                        ? readKind(attrs.get(LinkAttrs.LINKINFO, LinkAttrs.INFO))
                        : LinkKind.plain(),
                attrs.unknown());
    }

    private static LinkKind readKind(Attrs info) throws DecodeException {
        if (!info.has(LinkAttrs.INFO_KIND)) {
            return new LinkKind.Plain(info.unknown());
        }
        String name = info.get(LinkAttrs.INFO_KIND);
        Optional<Bytes> settings =
                info.has(LinkAttrs.INFO_DATA) ? Optional.of(info.get(LinkAttrs.INFO_DATA)) : Optional.empty();
        return switch (name) {
            case "bridge" -> new LinkKind.Bridge(settings.orElse(Bytes.EMPTY), info.unknown());
            case "veth" -> new LinkKind.Veth(readPeer(info), info.unknown());
            default -> new LinkKind.Other(name, settings, info.unknown());
        };
    }

    private static Optional<LinkKind.Peer> readPeer(Attrs info) throws DecodeException {
        if (!info.has(LinkAttrs.INFO_DATA)) {
            return Optional.empty();
        }
        Attrs data = info.get(LinkAttrs.INFO_DATA, LinkAttrs.VETH);
        if (!data.has(LinkAttrs.VETH_PEER)) {
            return Optional.empty();
        }
        NlReader reader = data.reader(LinkAttrs.VETH_PEER);
        reader.skip(16);
        Attrs peer = reader.attrs(LinkAttrs.PEER);
        return Optional.of(
                new LinkKind.Peer(peer.get(LinkAttrs.IFNAME, ""), number(peer, LinkAttrs.NET_NS_FD), peer.unknown()));
    }

    public static void write(NlWriter writer, Link link) {
        header(writer, link.type(), link.index(), link.flags(), 0);
        if (!link.name().isEmpty()) {
            writer.put(LinkAttrs.IFNAME, link.name());
        }
        link.state().ifPresent(state -> writer.put(LinkAttrs.OPERSTATE, state.number()));
        link.mtu().ifPresent(mtu -> writer.put(LinkAttrs.MTU, mtu));
        link.master().ifPresent(master -> writer.put(LinkAttrs.MASTER, master));
        link.mac().ifPresent(mac -> writer.put(LinkAttrs.ADDRESS, mac.bytes()));
        writeKind(writer, link.kind());
        link.lower().ifPresent(lower -> writer.put(LinkAttrs.LINK, lower));
        link.others().forEach(writer::put);
    }

    private static void writeKind(NlWriter writer, LinkKind kind) {
        if (kind.equals(LinkKind.plain())) {
            return;
        }
        writer.payload(LinkAttrs.LINKINFO, info -> {
            switch (kind) {
                case LinkKind.Plain ignored -> {}
                case LinkKind.Veth(Optional<LinkKind.Peer> peer, List<?> ignored) -> {
                    info.put(LinkAttrs.INFO_KIND, "veth");
                    peer.ifPresent(end -> info.payload(
                            LinkAttrs.INFO_DATA,
                            data -> data.payload(LinkAttrs.VETH_PEER, body -> writePeer(body, end))));
                }
                case LinkKind.Bridge(Bytes settings, List<?> ignored) -> {
                    info.put(LinkAttrs.INFO_KIND, "bridge");
                    if (settings.length() > 0) {
                        info.put(LinkAttrs.INFO_DATA, settings);
                    }
                }
                case LinkKind.Other(String name, Optional<Bytes> settings, List<?> ignored) -> {
                    info.put(LinkAttrs.INFO_KIND, name);
                    settings.ifPresent(data -> info.put(LinkAttrs.INFO_DATA, data));
                }
            }
            kind.others().forEach(info::put);
        });
    }

    private static void writePeer(NlWriter writer, LinkKind.Peer peer) {
        header(writer, 0, 0, 0, 0);
        writer.put(LinkAttrs.IFNAME, peer.name());
        peer.netNs().ifPresent(fd -> writer.put(LinkAttrs.NET_NS_FD, fd));
        peer.others().forEach(writer::put);
    }

    /** Writes changes to the link with index {@code index}, all in one message. */
    public static void writeChanges(NlWriter writer, int index, List<LinkChange> changes) {
        int flags = changes.contains(new LinkChange.Up()) ? Link.UP : 0;
        int mask = flags != 0 || changes.contains(new LinkChange.Down()) ? Link.UP : 0;
        header(writer, 0, index, flags, mask);
        for (LinkChange change : changes) {
            switch (change) {
                case LinkChange.Up _, LinkChange.Down _ -> {}
                case LinkChange.Rename(String name) -> writer.put(LinkAttrs.IFNAME, name);
                case LinkChange.Mtu(int bytes) -> writer.put(LinkAttrs.MTU, bytes);
                case LinkChange.Mac(MacAddress address) -> writer.put(LinkAttrs.ADDRESS, address.bytes());
                case LinkChange.Master(int master) -> writer.put(LinkAttrs.MASTER, master);
                case LinkChange.MoveTo(int netNs) -> writer.put(LinkAttrs.NET_NS_FD, netNs);
            }
        }
    }

    /** Identifies a link by index, for get and delete. */
    public static void writeIndex(NlWriter writer, int index) {
        header(writer, 0, index, 0, 0);
    }

    /** Identifies a link by name, for get and delete. */
    public static void writeName(NlWriter writer, String name) {
        header(writer, 0, 0, 0, 0);
        writer.put(LinkAttrs.IFNAME, name);
    }

    /** Requests all links. */
    public static void writeListAll(NlWriter writer) {
        header(writer, 0, 0, 0, 0);
        writer.put(LinkAttrs.EXT_MASK, SKIP_STATS);
    }

    private static void header(NlWriter writer, int type, int index, int flags, int mask) {
        writer.u8(AF_UNSPEC);
        writer.u8(0);
        writer.u16(type);
        writer.u32(index);
        writer.u32(flags);
        writer.u32(mask);
    }

    private static OptionalInt number(Attrs attrs, Attr.U32 attr) throws DecodeException {
        return attrs.has(attr) ? OptionalInt.of(attrs.get(attr)) : OptionalInt.empty();
    }
}
