package io.dualstackd.netlink.nfacct.io;

import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlFlags;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.Request;
import io.dualstackd.netlink.nft.NfHeader;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.xt.XtStruct;
import java.util.Optional;

/**
 * Makes and reads accounting objects of one network namespace. Numbers are those of {@code linux/netfilter/nfnetlink_acct.h} and
 * {@code linux/netfilter/nf_tables_compat.h}. For one thread at a time.
 */
public final class NfacctClient implements AutoCloseable {
    /** {@code NFNL_SUBSYS_ACCT} in the upper byte. */
    private static final int NEW = 0x700;

    private static final int GET = 0x701;

    /** {@code NFNL_MSG_COMPAT_GET} of {@code NFNL_SUBSYS_NFT_COMPAT}. */
    private static final int GET_EXTENSION = 0xb00;

    private static final int MATCH = 0;

    private static final Attr.Text NAME = new Attr.Text(1, "NFACCT_NAME");
    private static final Attr.U64be PACKETS = new Attr.U64be(2, "NFACCT_PKTS");
    private static final AttrTable OBJECT = AttrTable.of("nfacct", NAME, PACKETS);

    private static final Attr.Text EXTENSION_NAME = new Attr.Text(1, "NFTA_COMPAT_NAME");
    private static final Attr.U32be EXTENSION_REVISION = new Attr.U32be(2, "NFTA_COMPAT_REV");
    private static final Attr.U32be EXTENSION_TYPE = new Attr.U32be(3, "NFTA_COMPAT_TYPE");

    private final NetlinkConnection kernel;

    private NfacctClient(NetlinkConnection kernel) {
        this.kernel = kernel;
    }

    /** Through one of these sockets. */
    public static NfacctClient open(NetlinkSockets sockets) throws NetlinkException {
        return new NfacctClient(new NetlinkConnection(sockets.open(NlProtocol.NETFILTER)));
    }

    /**
     * Makes an object, unless there is one.
     *
     * @throws NetlinkException.Refused with {@code EINVAL} when the kernel has no {@code nfnetlink_acct}, neither built in nor as a module
     *     it could load
     */
    public void ensure(String name) throws NetlinkException {
        try {
            kernel.request(new Request("add nfacct " + name, NEW, NlFlags.CREATE | NlFlags.EXCLUSIVE, writer -> {
                NfHeader.write(writer, NftFamily.ALL);
                writer.put(NAME, name);
            }));
        } catch (NetlinkException.Refused e) {
            if (!e.errno().equals(Errno.EEXIST)) {
                throw e;
            }
        }
    }

    /** The packets counted at an object; empty when there is none of that name. */
    public Optional<Long> packets(String name) throws NetlinkException {
        Request request = new Request("get nfacct " + name, GET, 0, writer -> {
            NfHeader.write(writer, NftFamily.ALL);
            writer.put(NAME, name);
        });
        return kernel.find(request, Errno.ENOENT, message -> {
            NlReader body = message.body("NFNL_MSG_ACCT_GET");
            NfHeader.read(body);
            return body.attrs(OBJECT).get(PACKETS);
        });
    }

    /** Whether rules of nf_tables may have the match that counts at an object, {@code xt_nfacct}. */
    public boolean hasMatch(NftFamily family) throws NetlinkException {
        XtStruct match = XtStruct.NFACCT;
        try {
            kernel.request(new Request("get match " + match, GET_EXTENSION, 0, writer -> {
                NfHeader.write(writer, family);
                writer.put(EXTENSION_NAME, match.name())
                        .put(EXTENSION_REVISION, match.revision())
                        .put(EXTENSION_TYPE, MATCH);
            }));
            return true;
        } catch (NetlinkException.Refused e) {
            return false;
        }
    }

    @Override
    public void close() {
        kernel.close();
    }
}
