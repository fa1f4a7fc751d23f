package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;

/**
 * The version of the whole rule set in one network namespace; every transaction increments it.
 *
 * @param id never 0
 * @param processId of the process that made the transaction, 0 when not reported
 * @param processName of the process that made the transaction, empty when not reported
 */
public record NftGeneration(int id, int processId, String processName) {
    private static final Attr.U32be ID = new Attr.U32be(1, "NFTA_GEN_ID");
    private static final Attr.U32be PROC_PID = new Attr.U32be(2, "NFTA_GEN_PROC_PID");
    private static final Attr.Text PROC_NAME = new Attr.Text(3, "NFTA_GEN_PROC_NAME");
    private static final AttrTable TABLE = AttrTable.of("NFTA_GEN", ID, PROC_PID, PROC_NAME);

    public static NftGeneration read(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWGEN");
        NfHeader.read(body);
        Attrs attrs = body.attrs(TABLE);
        return new NftGeneration(attrs.get(ID), attrs.get(PROC_PID, 0), attrs.get(PROC_NAME, ""));
    }
}
