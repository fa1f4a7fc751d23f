package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.data.Data;
import io.dualstackd.netlink.nft.data.Verdict;
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

/** Reads and writes elements: {@code NFTA_SET_ELEM_LIST} and {@code NFTA_SET_ELEM}. */
final class ElementCodec {
    private static final Attr.Nest KEY = new Attr.Nest(1, "NFTA_SET_ELEM_KEY", Data.TABLE);
    private static final Attr.Nest DATA = new Attr.Nest(2, "NFTA_SET_ELEM_DATA", Data.TABLE);
    private static final Attr.U32be FLAGS = new Attr.U32be(3, "NFTA_SET_ELEM_FLAGS");
    private static final Attr.U64be TIMEOUT = new Attr.U64be(4, "NFTA_SET_ELEM_TIMEOUT");
    private static final Attr.U64be EXPIRATION = new Attr.U64be(5, "NFTA_SET_ELEM_EXPIRATION");
    private static final Attr.Payload USERDATA = new Attr.Payload(6, "NFTA_SET_ELEM_USERDATA");
    private static final Attr.Nest EXPR = new Attr.Nest(7, "NFTA_SET_ELEM_EXPR", Expressions.TABLE);
    private static final Attr.Nest KEY_END = new Attr.Nest(10, "NFTA_SET_ELEM_KEY_END", Data.TABLE);
    private static final Attr.ListOf EXPRESSIONS = new Attr.ListOf(11, "NFTA_SET_ELEM_EXPRESSIONS", Expressions.TABLE);
    private static final AttrTable ELEMENT =
            AttrTable.of("NFTA_SET_ELEM", KEY, DATA, FLAGS, TIMEOUT, EXPIRATION, USERDATA, EXPR, KEY_END, EXPRESSIONS);
    private static final Attr.Nest LIST_ELEMENT = new Attr.Nest(1, "NFTA_LIST_ELEM", ELEMENT);

    private static final Attr.Text LIST_TABLE = new Attr.Text(1, "NFTA_SET_ELEM_LIST_TABLE");
    private static final Attr.Text SET = new Attr.Text(2, "NFTA_SET_ELEM_LIST_SET");
    static final Attr.ListOf ELEMENTS = new Attr.ListOf(3, "NFTA_SET_ELEM_LIST_ELEMENTS", ELEMENT);
    private static final Attr.U32be SET_ID = new Attr.U32be(4, "NFTA_SET_ELEM_LIST_SET_ID");
    private static final AttrTable TABLE = AttrTable.of("NFTA_SET_ELEM_LIST", LIST_TABLE, SET, ELEMENTS, SET_ID);

    private ElementCodec() {}

    /** The elements of one message, and their set. */
    record Listed(SetName set, List<NftElement> elements) {}

    static Listed read(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWSETELEM");
        NfHeader header = NfHeader.read(body);
        Attrs attrs = body.attrs(TABLE);
        SetName set = new TableName(header.family(), attrs.get(LIST_TABLE)).set(attrs.get(SET));
        List<NftElement> elements = new ArrayList<>();
        if (attrs.has(ELEMENTS)) {
            for (Attrs element : attrs.get(ELEMENTS)) {
                elements.add(readElement(element));
            }
        }
        return new Listed(set, elements);
    }

    private static NftElement readElement(Attrs element) throws DecodeException {
        List<NftExpr> expressions = element.has(EXPR)
                ? List.of(Expressions.read(element.get(EXPR)))
                : Expressions.read(element, EXPRESSIONS);
        return new NftElement(
                element.has(KEY) ? Data.value(element, KEY) : Bytes.EMPTY,
                element.has(KEY_END) ? Data.value(element, KEY_END) : Bytes.EMPTY,
                element.has(DATA) ? readData(element.get(DATA)) : MapData.NOTHING,
                element.get(FLAGS, 0),
                element.get(TIMEOUT, 0),
                element.get(EXPIRATION, 0),
                element.get(USERDATA, Bytes.EMPTY),
                expressions);
    }

    private static MapData readData(Attrs data) throws DecodeException {
        Verdict verdict = Data.findVerdict(data);
        return verdict != null ? new MapData.Does(verdict) : new MapData.Value(Data.value(data));
    }

    static void writeSet(NlWriter writer, SetName set) {
        NfHeader.write(writer, set.table().family());
        writer.put(LIST_TABLE, set.table().name());
        writer.put(SET, set.name());
    }

    static void write(NlWriter writer, NftElement element) {
        int mark = writer.startNest(LIST_ELEMENT);
        if (element.key().length() > 0) {
            Data.write(writer, KEY, element.key());
        }
        if (element.keyEnd().length() > 0) {
            Data.write(writer, KEY_END, element.keyEnd());
        }
        switch (element.data()) {
            case MapData.Nothing() -> {}
            case MapData.Value(Bytes bytes) -> Data.write(writer, DATA, bytes);
            case MapData.Does(Verdict verdict) -> Data.write(writer, DATA, verdict);
        }
        if (element.expressions().size() == 1) {
            Expressions.write(writer, EXPR, element.expressions().getFirst());
        } else if (!element.expressions().isEmpty()) {
            Expressions.write(writer, EXPRESSIONS, element.expressions());
        }
        if (element.flags() != 0) {
            writer.put(FLAGS, element.flags());
        }
        if (element.timeoutMillis() != 0) {
            writer.put(TIMEOUT, element.timeoutMillis());
        }
        if (element.userData().length() > 0) {
            writer.put(USERDATA, element.userData());
        }
        writer.endNest(mark, LIST_ELEMENT);
    }
}
