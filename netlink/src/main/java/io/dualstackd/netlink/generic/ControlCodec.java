package io.dualstackd.netlink.generic;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/** Messages of the controller, the family with a fixed id. */
public final class ControlCodec {
    /** {@code GENL_ID_CTRL}: its message type. */
    public static final int TYPE = 16;

    private static final int NEW_FAMILY = 1;
    private static final int GET_FAMILY = 3;
    private static final int VERSION = 1;

    private static final Attr.U16 ID = new Attr.U16(1, "CTRL_ATTR_FAMILY_ID");
    private static final Attr.Text NAME = new Attr.Text(2, "CTRL_ATTR_FAMILY_NAME");
    private static final Attr.U32 FAMILY_VERSION = new Attr.U32(3, "CTRL_ATTR_VERSION");
    private static final AttrTable TABLE = AttrTable.of("CTRL_ATTR", ID, NAME, FAMILY_VERSION);

    private ControlCodec() {}

    /** Requests one family by its name. */
    public static void writeAsk(NlWriter writer, String name) {
        writeAskAll(writer);
        writer.put(NAME, name);
    }

    /** Requests all families. */
    public static void writeAskAll(NlWriter writer) {
        new GenericHeader(GET_FAMILY, VERSION).write(writer);
    }

    public static GenericFamily read(NlReader reader) throws DecodeException {
        GenericHeader header = GenericHeader.read(reader);
        if (header.command() != NEW_FAMILY) {
            throw reader.error("want CTRL_CMD_NEWFAMILY, got command " + header.command());
        }
        Attrs attrs = reader.attrs(TABLE);
        return new GenericFamily(attrs.get(NAME), attrs.get(ID), attrs.get(FAMILY_VERSION));
    }
}
