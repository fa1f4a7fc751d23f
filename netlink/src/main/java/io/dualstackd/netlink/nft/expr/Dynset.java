package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.DynsetOp;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds, refreshes or deletes an element of a set or map for each packet, with key and data from registers.
 *
 * @param setId id of a set created in the same transaction, 0 when it is found by name
 * @param key first register of the key
 * @param data register of the data, or 0 for a set
 * @param timeoutMillis lifetime of the element in milliseconds, 0 for the set's own
 * @param inverted true when the rule continues only if the set is full
 * @param expressions attached to each element, for example a counter or limit
 */
public record Dynset(
        DynsetOp op,
        String set,
        int setId,
        int key,
        int data,
        long timeoutMillis,
        boolean inverted,
        List<NftExpr> expressions)
        implements NftExpr {
    static final String NAME = "dynset";
    private static final int INVERTED = 1;
    private static final int EXPRESSIONS = 2;
    private static final Attr.Text SET_NAME = new Attr.Text(1, "NFTA_DYNSET_SET_NAME");
    private static final Attr.U32be SET_ID = new Attr.U32be(2, "NFTA_DYNSET_SET_ID");
    private static final Attr.U32be OP = new Attr.U32be(3, "NFTA_DYNSET_OP");
    private static final Attr.U32be SREG_KEY = new Attr.U32be(4, "NFTA_DYNSET_SREG_KEY");
    private static final Attr.U32be SREG_DATA = new Attr.U32be(5, "NFTA_DYNSET_SREG_DATA");
    private static final Attr.U64be TIMEOUT = new Attr.U64be(6, "NFTA_DYNSET_TIMEOUT");
    private static final Attr.Nest EXPR = new Attr.Nest(7, "NFTA_DYNSET_EXPR", Expressions.TABLE);
    private static final Attr.Payload PAD = new Attr.Payload(8, "NFTA_DYNSET_PAD");
    private static final Attr.U32be FLAGS = new Attr.U32be(9, "NFTA_DYNSET_FLAGS");
    private static final Attr.ListOf LIST = new Attr.ListOf(10, "NFTA_DYNSET_EXPRESSIONS", Expressions.TABLE);
    static final AttrTable TABLE =
            AttrTable.of("NFTA_DYNSET", SET_NAME, SET_ID, OP, SREG_KEY, SREG_DATA, TIMEOUT, EXPR, PAD, FLAGS, LIST);

    public Dynset {
        expressions = List.copyOf(expressions);
    }

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        DynsetOp op = DynsetOp.find(data.get(OP));
        int flags = data.get(FLAGS, 0);
        if (op == null || (flags & ~(INVERTED | EXPRESSIONS)) != 0) {
            return null;
        }
        List<NftExpr> expressions =
                data.has(EXPR) ? List.of(Expressions.read(data.get(EXPR))) : Expressions.read(data, LIST);
        return new Dynset(
                op,
                data.get(SET_NAME),
                data.get(SET_ID, 0),
                data.get(SREG_KEY),
                data.get(SREG_DATA, 0),
                data.get(TIMEOUT, 0),
                (flags & INVERTED) != 0,
                expressions);
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(SREG_KEY, key);
        if (data != 0) {
            writer.put(SREG_DATA, data);
        }
        writer.put(OP, op.number());
        writer.put(SET_NAME, set);
        if (setId != 0) {
            writer.put(SET_ID, setId);
        }
        if (timeoutMillis != 0) {
            writer.put(TIMEOUT, timeoutMillis);
        }
        // A single expression is written as the old attribute, so that kernels before 5.11 support it.
        if (expressions.size() == 1) {
            Expressions.write(writer, EXPR, expressions.getFirst());
        } else if (!expressions.isEmpty()) {
            Expressions.write(writer, LIST, expressions);
        }
        writer.put(FLAGS, (inverted ? INVERTED : 0) | (expressions.size() > 1 ? EXPRESSIONS : 0));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[ dynset ")
                .append(op)
                .append(" reg_key ")
                .append(key)
                .append(" set ")
                .append(set);
        if (data != 0) {
            text.append(" sreg_data ").append(data);
        }
        text.append(" timeout ").append(timeoutMillis).append("ms");
        for (NftExpr expression : expressions) {
            text.append(" expr ").append(expression);
        }
        return text.append(" ]").toString();
    }
}
