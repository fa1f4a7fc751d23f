package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
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
    private static final Attr.Payload ADDRESS = new Attr.Payload(1, "IFLA_ADDRESS");
    private static final Attr.Text IFNAME = new Attr.Text(3, "IFLA_IFNAME");
    private static final Attr.U32 MTU = new Attr.U32(4, "IFLA_MTU");
    private static final Attr.U32 LINK = new Attr.U32(5, "IFLA_LINK");
    private static final Attr.U32 MASTER = new Attr.U32(10, "IFLA_MASTER");
    private static final Attr.U8 OPERSTATE = new Attr.U8(16, "IFLA_OPERSTATE");
    // Not a Nest: the kernel writes it without NLA_F_NESTED, and so does the codec.
    private static final Attr.Payload LINKINFO = new Attr.Payload(18, "IFLA_LINKINFO");
    private static final AttrTable TABLE =
            AttrTable.of("IFLA", ADDRESS, IFNAME, MTU, LINK, MASTER, OPERSTATE, LINKINFO);

    // Only in requests.
    private static final Attr.U32 NET_NS_FD = new Attr.U32(28, "IFLA_NET_NS_FD");
    private static final Attr.U32 EXT_MASK = new Attr.U32(29, "IFLA_EXT_MASK");

    private static final Attr.Text INFO_KIND = new Attr.Text(1, "IFLA_INFO_KIND");
    private static final Attr.Payload INFO_DATA = new Attr.Payload(2, "IFLA_INFO_DATA");
    private static final AttrTable INFO = AttrTable.of("IFLA_INFO", INFO_KIND, INFO_DATA);

    private static final Attr.Payload VETH_PEER = new Attr.Payload(1, "VETH_INFO_PEER");
    private static final AttrTable VETH = AttrTable.of("VETH_INFO", VETH_PEER);
    private static final AttrTable PEER = AttrTable.of("IFLA of VETH_INFO_PEER", IFNAME, NET_NS_FD);

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
        Attrs attrs = reader.attrs(TABLE);
        return new Link(
                index,
                attrs.get(IFNAME, ""),
                type,
                flags,
                attrs.has(OPERSTATE) ? Optional.of(new OperState(attrs.get(OPERSTATE))) : Optional.empty(),
                number(attrs, MTU),
                number(attrs, MASTER),
                number(attrs, LINK),
                attrs.has(ADDRESS) ? Optional.of(new MacAddress(attrs.get(ADDRESS))) : Optional.empty(),
                attrs.has(LINKINFO) ? readKind(attrs.get(LINKINFO, INFO)) : LinkKind.plain(),
                attrs.unknown());
    }

    private static LinkKind readKind(Attrs info) throws DecodeException {
        if (!info.has(INFO_KIND)) {
            return new LinkKind.Plain(info.unknown());
        }
        String name = info.get(INFO_KIND);
        Optional<Bytes> settings = info.has(INFO_DATA) ? Optional.of(info.get(INFO_DATA)) : Optional.empty();
        return switch (name) {
            case "bridge" -> new LinkKind.Bridge(settings.orElse(Bytes.EMPTY), info.unknown());
            case "veth" -> new LinkKind.Veth(readPeer(info), info.unknown());
            default -> new LinkKind.Other(name, settings, info.unknown());
        };
    }

    private static Optional<LinkKind.Peer> readPeer(Attrs info) throws DecodeException {
        if (!info.has(INFO_DATA)) {
            return Optional.empty();
        }
        Attrs data = info.get(INFO_DATA, VETH);
        if (!data.has(VETH_PEER)) {
            return Optional.empty();
        }
        NlReader reader = data.reader(VETH_PEER);
        reader.skip(16);
        Attrs peer = reader.attrs(PEER);
        return Optional.of(new LinkKind.Peer(peer.get(IFNAME, ""), number(peer, NET_NS_FD), peer.unknown()));
    }

    public static void write(NlWriter writer, Link link) {
        header(writer, link.type(), link.index(), link.flags(), 0);
        if (!link.name().isEmpty()) {
            writer.put(IFNAME, link.name());
        }
        link.state().ifPresent(state -> writer.put(OPERSTATE, state.number()));
        link.mtu().ifPresent(mtu -> writer.put(MTU, mtu));
        link.master().ifPresent(master -> writer.put(MASTER, master));
        link.mac().ifPresent(mac -> writer.put(ADDRESS, mac.bytes()));
        writeKind(writer, link.kind());
        link.lower().ifPresent(lower -> writer.put(LINK, lower));
        link.others().forEach(writer::put);
    }

    private static void writeKind(NlWriter writer, LinkKind kind) {
        if (kind.equals(LinkKind.plain())) {
            return;
        }
        writer.payload(LINKINFO, info -> {
            switch (kind) {
                case LinkKind.Plain ignored -> {}
                case LinkKind.Veth(Optional<LinkKind.Peer> peer, List<?> ignored) -> {
                    info.put(INFO_KIND, "veth");
                    peer.ifPresent(end ->
                            info.payload(INFO_DATA, data -> data.payload(VETH_PEER, body -> writePeer(body, end))));
                }
                case LinkKind.Bridge(Bytes settings, List<?> ignored) -> {
                    info.put(INFO_KIND, "bridge");
                    if (settings.length() > 0) {
                        info.put(INFO_DATA, settings);
                    }
                }
                case LinkKind.Other(String name, Optional<Bytes> settings, List<?> ignored) -> {
                    info.put(INFO_KIND, name);
                    settings.ifPresent(data -> info.put(INFO_DATA, data));
                }
            }
            kind.others().forEach(info::put);
        });
    }

    private static void writePeer(NlWriter writer, LinkKind.Peer peer) {
        header(writer, 0, 0, 0, 0);
        writer.put(IFNAME, peer.name());
        peer.netNs().ifPresent(fd -> writer.put(NET_NS_FD, fd));
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
                case LinkChange.Rename(String name) -> writer.put(IFNAME, name);
                case LinkChange.Mtu(int bytes) -> writer.put(MTU, bytes);
                case LinkChange.Mac(MacAddress address) -> writer.put(ADDRESS, address.bytes());
                case LinkChange.Master(int master) -> writer.put(MASTER, master);
                case LinkChange.MoveTo(int netNs) -> writer.put(NET_NS_FD, netNs);
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
        writer.put(IFNAME, name);
    }

    /** Requests all links. */
    public static void writeListAll(NlWriter writer) {
        header(writer, 0, 0, 0, 0);
        writer.put(EXT_MASK, SKIP_STATS);
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
