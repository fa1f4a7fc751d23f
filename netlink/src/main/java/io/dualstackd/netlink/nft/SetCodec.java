package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.expr.Expressions;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads and writes {@link NftSet}: {@code NFTA_SET}. */
final class SetCodec {
    private static final Attr.U32be FIELD_LEN = new Attr.U32be(1, "NFTA_SET_FIELD_LEN");
    private static final AttrTable FIELD = AttrTable.of("NFTA_SET_FIELD", FIELD_LEN);
    private static final Attr.Nest FIELD_ELEMENT = new Attr.Nest(1, "NFTA_LIST_ELEM", FIELD);

    private static final Attr.U32be DESC_SIZE = new Attr.U32be(1, "NFTA_SET_DESC_SIZE");
    private static final Attr.ListOf DESC_CONCAT = new Attr.ListOf(2, "NFTA_SET_DESC_CONCAT", FIELD);
    private static final AttrTable DESC_TABLE = AttrTable.of("NFTA_SET_DESC", DESC_SIZE, DESC_CONCAT);

    private static final Attr.Text SET_TABLE = new Attr.Text(1, "NFTA_SET_TABLE");
    private static final Attr.Text NAME = new Attr.Text(2, "NFTA_SET_NAME");
    private static final Attr.U32be FLAGS = new Attr.U32be(3, "NFTA_SET_FLAGS");
    private static final Attr.U32be KEY_TYPE = new Attr.U32be(4, "NFTA_SET_KEY_TYPE");
    private static final Attr.U32be KEY_LEN = new Attr.U32be(5, "NFTA_SET_KEY_LEN");
    private static final Attr.U32be DATA_TYPE = new Attr.U32be(6, "NFTA_SET_DATA_TYPE");
    private static final Attr.U32be DATA_LEN = new Attr.U32be(7, "NFTA_SET_DATA_LEN");
    private static final Attr.Nest DESC = new Attr.Nest(9, "NFTA_SET_DESC", DESC_TABLE);
    private static final Attr.U32be ID = new Attr.U32be(10, "NFTA_SET_ID");
    private static final Attr.U64be TIMEOUT = new Attr.U64be(11, "NFTA_SET_TIMEOUT");
    private static final Attr.U32be GC_INTERVAL = new Attr.U32be(12, "NFTA_SET_GC_INTERVAL");
    private static final Attr.Payload USERDATA = new Attr.Payload(13, "NFTA_SET_USERDATA");
    private static final Attr.U64be HANDLE = new Attr.U64be(16, "NFTA_SET_HANDLE");
    private static final Attr.Nest EXPR = new Attr.Nest(17, "NFTA_SET_EXPR", Expressions.TABLE);
    private static final Attr.ListOf EXPRESSIONS = new Attr.ListOf(18, "NFTA_SET_EXPRESSIONS", Expressions.TABLE);
    private static final Attr.U32be COUNT = new Attr.U32be(20, "NFTA_SET_COUNT");
    private static final AttrTable TABLE = AttrTable.of(
            "NFTA_SET",
            SET_TABLE,
            NAME,
            FLAGS,
            KEY_TYPE,
            KEY_LEN,
            DATA_TYPE,
            DATA_LEN,
            DESC,
            ID,
            TIMEOUT,
            GC_INTERVAL,
            USERDATA,
            HANDLE,
            EXPR,
            EXPRESSIONS,
            COUNT);

    private SetCodec() {}

    static NftSet read(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWSET");
        NfHeader header = NfHeader.read(body);
        Attrs attrs = body.attrs(TABLE);
        int size = 0;
        List<Integer> fields = new ArrayList<>();
        if (attrs.has(DESC)) {
            Attrs desc = attrs.get(DESC);
            size = desc.get(DESC_SIZE, 0);
            if (desc.has(DESC_CONCAT)) {
                for (Attrs field : desc.get(DESC_CONCAT)) {
                    fields.add(field.get(FIELD_LEN));
                }
            }
        }
        List<NftExpr> expressions =
                attrs.has(EXPR) ? List.of(Expressions.read(attrs.get(EXPR))) : Expressions.read(attrs, EXPRESSIONS);
        return new NftSet(
                new TableName(header.family(), attrs.get(SET_TABLE)).set(attrs.get(NAME)),
                attrs.get(FLAGS, 0),
                attrs.get(KEY_TYPE, 0),
                attrs.get(KEY_LEN, 0),
                attrs.get(DATA_TYPE, 0),
                attrs.get(DATA_LEN, 0),
                attrs.get(TIMEOUT, 0),
                attrs.get(GC_INTERVAL, 0),
                size,
                fields,
                attrs.get(ID, 0),
                attrs.get(HANDLE, 0),
                attrs.get(USERDATA, Bytes.EMPTY),
                expressions);
    }

    static OptionalInt readCount(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWSET");
        NfHeader.read(body);
        Attrs attrs = body.attrs(TABLE);
        return attrs.has(COUNT) ? OptionalInt.of(attrs.get(COUNT)) : OptionalInt.empty();
    }

    static void write(NlWriter writer, NftSet set) {
        writeName(writer, set.name());
        writer.put(FLAGS, set.flags());
        writer.put(KEY_TYPE, set.keyType());
        writer.put(KEY_LEN, set.keyLength());
        if (set.isMap()) {
            writer.put(DATA_TYPE, set.dataType());
            writer.put(DATA_LEN, set.dataLength());
        }
        if (set.timeoutMillis() != 0) {
            writer.put(TIMEOUT, set.timeoutMillis());
        }
        if (set.gcMillis() != 0) {
            writer.put(GC_INTERVAL, set.gcMillis());
        }
        if (set.userData().length() > 0) {
            writer.put(USERDATA, set.userData());
        }
        if (set.size() != 0 || !set.fields().isEmpty()) {
            writeDescription(writer, set);
        }
        if (set.expressions().size() == 1) {
            Expressions.write(writer, EXPR, set.expressions().getFirst());
        } else if (!set.expressions().isEmpty()) {
            Expressions.write(writer, EXPRESSIONS, set.expressions());
        }
        // Not optional, although it is needed only to find anonymous sets.
        writer.put(ID, set.id());
    }

    private static void writeDescription(NlWriter writer, NftSet set) {
        int mark = writer.startNest(DESC);
        if (set.size() != 0) {
            writer.put(DESC_SIZE, set.size());
        }
        if (!set.fields().isEmpty()) {
            int list = writer.startNest(DESC_CONCAT);
            for (int length : set.fields()) {
                int element = writer.startNest(FIELD_ELEMENT);
                writer.put(FIELD_LEN, length);
                writer.endNest(element, FIELD_ELEMENT);
            }
            writer.endNest(list, DESC_CONCAT);
        }
        writer.endNest(mark, DESC);
    }

    static void writeName(NlWriter writer, SetName name) {
        writeTable(writer, name.table());
        writer.put(NAME, name.name());
    }

    /** Writes the attributes that select the sets of a table. */
    static void writeTable(NlWriter writer, TableName table) {
        NfHeader.write(writer, table.family());
        writer.put(SET_TABLE, table.name());
    }
}
