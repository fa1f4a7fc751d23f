package io.dualstackd.netlink.route;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A next hop that is an object of its own, to which routes refer by its id ({@code struct nhmsg} and {@code NHA_*} of {@code
 * linux/nexthop.h}, Linux 5.3), as shown by {@code ip nexthop}.
 *
 * @param link index of the outgoing link; empty for groups and for blackholes
 * @param gateway the next router; none where the destinations are neighbours
 * @param group other objects, one of which is selected for each flow
 */
public record NextHopObject(int id, OptionalInt link, Optional<Ip> gateway, List<Member> group) {
    private static final Attr.U32 ID = new Attr.U32(1, "NHA_ID");
    private static final Attr.Payload GROUP = new Attr.Payload(2, "NHA_GROUP");
    private static final Attr.U32 OIF = new Attr.U32(5, "NHA_OIF");
    private static final Attr.Address GATEWAY = new Attr.Address(6, "NHA_GATEWAY");
    private static final Attr.U32 OP_FLAGS = new Attr.U32(14, "NHA_OP_FLAGS");
    private static final AttrTable TABLE = AttrTable.of("NHA", ID, GROUP, OIF, GATEWAY, OP_FLAGS);

    /** {@code NHA_OP_FLAG_RESP_GRP_RESVD_0}: the bytes behind a weight are set. Older kernels leave garbage in them. */
    private static final int RESERVED_SET = 1 << 31;

    /** Bytes of {@code struct nhmsg}. */
    public static final int HEADER = 8;

    public NextHopObject {
        group = List.copyOf(group);
    }

    /** @param weight its share of the flows, 1 to 65,536; 1 to 256 before Linux 6.12 */
    public record Member(int id, int weight) {}

    /** Reads the body of {@code RTM_NEWNEXTHOP} or {@code RTM_DELNEXTHOP}. */
    public static NextHopObject read(NlReader reader) throws DecodeException {
        reader.skip(HEADER);
        Attrs attrs = reader.attrs(TABLE);
        return new NextHopObject(
                attrs.get(ID),
                attrs.has(OIF) ? OptionalInt.of(attrs.get(OIF)) : OptionalInt.empty(),
                attrs.find(GATEWAY),
                attrs.has(GROUP)
                        ? members(attrs.reader(GROUP), (attrs.get(OP_FLAGS, 0) & RESERVED_SET) != 0)
                        : List.of());
    }

    /** Reads members, each {@code struct nexthop_grp}: id, low byte of the weight less one, its high byte, and two reserved bytes. */
    private static List<Member> members(NlReader reader, boolean wide) throws DecodeException {
        List<Member> members = new ArrayList<>();
        while (reader.remaining() > 0) {
            int id = reader.u32();
            int low = reader.u8();
            int high = reader.u8();
            members.add(new Member(id, (wide ? high << 8 | low : low) + 1));
            reader.skip(2);
        }
        return members;
    }

    /** The next hops it stands for; none when it is a blackhole. */
    public List<NextHop> hops(Map<Integer, NextHopObject> all) {
        return group.isEmpty()
                ? hop(1).toList()
                : group.stream()
                        .flatMap(member -> Optional.ofNullable(all.get(member.id())).stream()
                                .flatMap(object -> object.hop(member.weight())))
                        .toList();
    }

    private Stream<NextHop> hop(int weight) {
        return link.stream().mapToObj(index -> new NextHop(index, weight, 0, gateway, List.of()));
    }
}
