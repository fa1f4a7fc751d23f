package io.dualstackd.netlink.io;

import io.dualstackd.netlink.nft.NfHeader;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;

/** Lists and removes the ipsets of a network namespace. Numbers are those of {@code linux/netfilter/ipset/ip_set.h}. */
public final class IpSetClient implements AutoCloseable {
    /** {@code NFNL_SUBSYS_IPSET} in the upper byte. */
    private static final int DESTROY = 0x603;

    private static final int LIST = 0x607;

    /** Supported by every kernel that has ipsets. */
    private static final int PROTOCOL_VERSION = 6;

    /** Names only, without headers and members. */
    private static final int FLAG_LIST_SETNAME = 1 << 1;

    /** Bit of {@code nla_type}: the value is in network order. */
    private static final int NET_BYTE_ORDER = 1 << 14;

    private static final Attr.U8 PROTOCOL = new Attr.U8(1, "IPSET_ATTR_PROTOCOL");
    private static final Attr.Text NAME = new Attr.Text(2, "IPSET_ATTR_SETNAME");
    private static final Attr.U32be FLAGS = new Attr.U32be(6 | NET_BYTE_ORDER, "IPSET_ATTR_FLAGS");
    private static final AttrTable SET = AttrTable.of("ipset", PROTOCOL, NAME);

    private final NetlinkConnection kernel;

    private IpSetClient(NetlinkConnection kernel) {
        this.kernel = kernel;
    }

    /** For a given namespace. */
    public static IpSetClient open(NetNs ns) throws NetlinkException {
        return new IpSetClient(new NetlinkConnection(NlSocket.open(NlProtocol.NETFILTER, ns)));
    }

    /** The names of all sets; none where the kernel has no ipsets. */
    public List<String> names() throws NetlinkException {
        Request request = new Request("list ipsets", LIST, 0, writer -> {
            NfHeader.write(writer, NftFamily.ALL);
            writer.put(PROTOCOL, PROTOCOL_VERSION).put(FLAGS, FLAG_LIST_SETNAME);
        });
        try {
            return kernel.dump(request, message -> {
                NlReader body = message.body("IPSET_CMD_LIST");
                NfHeader.read(body);
                return body.attrs(SET).get(NAME);
            });
        } catch (NetlinkException.Refused e) {
            if (e.errno().equals(Errno.EINVAL) || e.errno().equals(Errno.EOPNOTSUPP)) {
                return List.of();
            }
            throw e;
        }
    }

    /**
     * Removes a set.
     *
     * @throws NetlinkException.Refused when there is none of that name, or a rule still uses it
     */
    public void destroy(String name) throws NetlinkException {
        kernel.request(new Request("destroy ipset " + name, DESTROY, 0, writer -> write(writer, name)));
    }

    private static void write(NlWriter writer, String name) {
        NfHeader.write(writer, NftFamily.ALL);
        writer.put(PROTOCOL, PROTOCOL_VERSION).put(NAME, name);
    }

    @Override
    public void close() {
        kernel.close();
    }
}
