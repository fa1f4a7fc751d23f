package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.BitwiseAttrs;
import io.dualstackd.netlink.nft.data.CtAttrs;
import io.dualstackd.netlink.nft.data.MetaAttrs;
import io.dualstackd.netlink.nft.data.PayloadAttrs;
import io.dualstackd.netlink.nft.data.XtAttrs;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code NFTA_EXPR} nests: one expression, or the list of a rule, set or element. */
public final class Expressions {
    private static final Attr.Text NAME = new Attr.Text(1, "NFTA_EXPR_NAME");
    private static final Attr.Payload DATA = new Attr.Payload(2, "NFTA_EXPR_DATA");
    /** {@code NFTA_EXPR}: the attributes of a nest with one expression. */
    public static final AttrTable TABLE = AttrTable.of("NFTA_EXPR", NAME, DATA);
    /** {@code NFTA_LIST_ELEM}, the number each expression of a list has. */
    private static final Attr.Nest ELEMENT = new Attr.Nest(1, "NFTA_LIST_ELEM", TABLE);

    private Expressions() {}

    /** Writes {@code expressions} as the nest {@code list}. */
    public static void write(NlWriter writer, Attr.ListOf list, List<NftExpr> expressions) {
        int mark = writer.startNest(list);
        for (int i = 0; i < expressions.size(); i++) {
            write(writer, ELEMENT, expressions.get(i));
        }
        writer.endNest(mark, list);
    }

    /** Writes one expression as the nest {@code nest}. */
    public static void write(NlWriter writer, Attr.Nest nest, NftExpr expression) {
        int mark = writer.startNest(nest);
        writer.put(NAME, expression.name());
        switch (expression) {
            case Notrack ignored -> {}
            case OtherExpr(var ignored, var data) when data.length() == 0 -> {}
            default -> {
                int inner = writer.startNest(DATA);
                expression.writeData(writer);
                writer.endNest(inner, DATA);
            }
        }
        writer.endNest(mark, nest);
    }

    /** Reads the expressions of {@code list}; none when the attribute is absent. */
    public static List<NftExpr> read(Attrs attrs, Attr.ListOf list) throws DecodeException {
        if (!attrs.has(list)) {
            return List.of();
        }
        List<Attrs> nests = attrs.get(list);
        NftExpr[] expressions = new NftExpr[nests.size()];
        for (int i = 0; i < expressions.length; i++) {
            expressions[i] = read(nests.get(i));
        }
        return List.of(expressions);
    }

    /** Reads one expression from the content of its nest. */
    public static NftExpr read(Attrs expression) throws DecodeException {
        String name = expression.get(NAME);
        NftExpr known = expression.has(DATA) ? readKnown(name, expression) : readBare(name);
        return known != null ? known : new OtherExpr(name, expression.get(DATA, Bytes.EMPTY));
    }

    private static @Nullable NftExpr readBare(String name) {
        return name.equals(Notrack.NAME) ? new Notrack() : null;
    }

    private static @Nullable NftExpr readKnown(String name, Attrs expression) throws DecodeException {
        AttrTable table = table(name);
        if (table == null) {
            return null;
        }
        Attrs data = expression.get(DATA, table);
        if (!data.unknown().isEmpty()) {
            return null;
        }
        return switch (name) {
            case Payload.NAME -> data.has(PayloadAttrs.SREG) ? PayloadWrite.read(data) : Payload.read(data);
            case Cmp.NAME -> Cmp.read(data);
            case Meta.NAME -> data.has(MetaAttrs.SREG) ? MetaSet.read(data) : Meta.read(data);
            case Counter.NAME -> Counter.read(data);
            case Immediate.NAME -> Immediate.readEither(data);
            case XtMatchExpr.NAME -> XtMatchExpr.read(data);
            case XtTargetExpr.NAME -> XtTargetExpr.read(data);
            case Bitwise.NAME -> data.get(BitwiseAttrs.OP, 0) == 0 ? Bitwise.read(data) : Shift.read(data);
            case Lookup.NAME -> Lookup.read(data);
            case Ct.NAME -> data.has(CtAttrs.SREG) ? Ct.Set.read(data) : Ct.read(data);
            case Dynset.NAME -> Dynset.read(data);
            case Nat.NAME -> Nat.read(data);
            case Masq.NAME -> Masq.read(data);
            case Redir.NAME -> Redir.read(data);
            case Reject.NAME -> Reject.read(data);
            case Fib.NAME -> Fib.read(data);
            case Numgen.NAME -> Numgen.read(data);
            case Range.NAME -> Range.read(data);
            case Limit.NAME -> Limit.read(data);
            case Byteorder.NAME -> Byteorder.read(data);
            case Log.NAME -> Log.read(data);
            case Objref.NAME -> Objref.read(data);
            default -> null;
        };
    }

    /** Whether that part of an expression is its name; the other one is its data. */
    public static boolean isName(int number) {
        return number == NAME.number();
    }

    /** The attributes of an expression's data; null when the expression is not supported. */
    public static @Nullable AttrTable table(String name) {
        return switch (name) {
            case Payload.NAME -> PayloadAttrs.TABLE;
            case Cmp.NAME -> Cmp.TABLE;
            case Meta.NAME -> MetaAttrs.TABLE;
            case Counter.NAME -> Counter.TABLE;
            case Immediate.NAME -> Immediate.TABLE;
            case XtMatchExpr.NAME, XtTargetExpr.NAME -> XtAttrs.TABLE;
            case Bitwise.NAME -> BitwiseAttrs.TABLE;
            case Lookup.NAME -> Lookup.TABLE;
            case Ct.NAME -> CtAttrs.TABLE;
            case Dynset.NAME -> Dynset.TABLE;
            case Nat.NAME -> Nat.TABLE;
            case Masq.NAME -> Masq.TABLE;
            case Redir.NAME -> Redir.TABLE;
            case Reject.NAME -> Reject.TABLE;
            case Fib.NAME -> Fib.TABLE;
            case Numgen.NAME -> Numgen.TABLE;
            case Range.NAME -> Range.TABLE;
            case Limit.NAME -> Limit.TABLE;
            case Byteorder.NAME -> Byteorder.TABLE;
            case Log.NAME -> Log.TABLE;
            case Objref.NAME -> Objref.TABLE;
            default -> null;
        };
    }
}
