package io.dualstackd.netlink.conntrack;

import io.dualstackd.netlink.nft.NfHeader;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * How full the connection table is.
 *
 * @param entries of this network namespace, of both families
 * @param max the limit of entries; 0 when the kernel does not report it (before 4.19)
 */
public record ConntrackStats(long entries, long max) {
    public static ConntrackStats read(NlMessage message) throws DecodeException {
        NlReader body = message.body("IPCTNL_MSG_CT_GET_STATS");
        NfHeader.read(body);
        Attrs attrs = body.attrs(ConntrackAttrs.STATS);
        return new ConntrackStats(
                Integer.toUnsignedLong(attrs.get(ConntrackAttrs.ENTRIES)),
                Integer.toUnsignedLong(attrs.get(ConntrackAttrs.MAX_ENTRIES, 0)));
    }

    /** The body of the request. */
    public static void writeAsk(NlWriter writer) {
        NfHeader.write(writer, NftFamily.ALL);
    }
}
