package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * A table.
 *
 * @param flags {@code enum nft_table_flags}: {@link #DORMANT}, {@link #OWNER}
 * @param handle given by the kernel, 0 when not known
 * @param use chains, sets and objects in it, as read
 * @param userData see {@link UserData}
 */
public record NftTable(TableName name, int flags, long handle, int use, Bytes userData) {
    /** {@code NFT_TABLE_F_DORMANT}: its base chains see no packets. */
    public static final int DORMANT = 1;

    /**
     * {@code NFT_TABLE_F_OWNER}: only the socket that made the table may change it, and the table goes with that socket. Linux 5.12 and later;
     * others refuse to make the table.
     */
    public static final int OWNER = 2;

    private static final Attr.Text NAME = new Attr.Text(1, "NFTA_TABLE_NAME");
    private static final Attr.U32be FLAGS = new Attr.U32be(2, "NFTA_TABLE_FLAGS");
    private static final Attr.U32be USE = new Attr.U32be(3, "NFTA_TABLE_USE");
    private static final Attr.U64be HANDLE = new Attr.U64be(4, "NFTA_TABLE_HANDLE");
    private static final Attr.Payload USERDATA = new Attr.Payload(6, "NFTA_TABLE_USERDATA");
    private static final AttrTable TABLE = AttrTable.of("NFTA_TABLE", NAME, FLAGS, USE, HANDLE, USERDATA);

    /** A table without flags and user data. */
    public static NftTable of(TableName name) {
        return new NftTable(name, 0, 0, 0, Bytes.EMPTY);
    }

    public static NftTable read(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWTABLE");
        NfHeader header = NfHeader.read(body);
        Attrs attrs = body.attrs(TABLE);
        return new NftTable(
                new TableName(header.family(), attrs.get(NAME)),
                attrs.get(FLAGS, 0),
                attrs.get(HANDLE, 0),
                attrs.get(USE, 0),
                attrs.get(USERDATA, Bytes.EMPTY));
    }

    void writeTo(NlWriter writer) {
        writeName(writer, name);
        writer.put(FLAGS, flags);
        if (userData.length() > 0) {
            writer.put(USERDATA, userData);
        }
    }

    static void writeName(NlWriter writer, TableName name) {
        NfHeader.write(writer, name.family());
        writer.put(NAME, name.name());
    }

    @Override
    public String toString() {
        return "table " + name;
    }
}
