package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Looks a register's value up in a set; in a map, loads the element's data.
 *
 * @param set name of a set or map of the same table
 * @param setId id of a set created in the same transaction, 0 when it is found by name
 * @param key first register of the key
 * @param data register for the element's data (0, the verdict register, for verdict maps), or {@link #NO_DATA} for a set
 * @param inverted true when the rule continues for values that are <em>not</em> in the set
 */
public record Lookup(String set, int setId, int key, int data, boolean inverted) implements NftExpr {
    /** The set has no data, or the data is not used. */
    public static final int NO_DATA = -1;

    static final String NAME = "lookup";
    private static final int INVERTED = 1;
    private static final Attr.Text SET = new Attr.Text(1, "NFTA_LOOKUP_SET");
    private static final Attr.U32be SREG = new Attr.U32be(2, "NFTA_LOOKUP_SREG");
    private static final Attr.U32be DREG = new Attr.U32be(3, "NFTA_LOOKUP_DREG");
    private static final Attr.U32be SET_ID = new Attr.U32be(4, "NFTA_LOOKUP_SET_ID");
    private static final Attr.U32be FLAGS = new Attr.U32be(5, "NFTA_LOOKUP_FLAGS");
    static final AttrTable TABLE = AttrTable.of("NFTA_LOOKUP", SET, SREG, DREG, SET_ID, FLAGS);

    /** Matches if the value is in the set. */
    public static Lookup in(String set, int key) {
        return new Lookup(set, 0, key, NO_DATA, false);
    }

    /** Matches if the value is not in the set. */
    public static Lookup notIn(String set, int key) {
        return new Lookup(set, 0, key, NO_DATA, true);
    }

    /** Loads the map's data for the value into {@code data}; without an element the rule ends. */
    public static Lookup map(String map, int key, int data) {
        return new Lookup(map, 0, key, data, false);
    }

    /** Executes the verdict that the map holds for the value. */
    public static Lookup verdictMap(String map, int key) {
        return new Lookup(map, 0, key, 0, false);
    }

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        int flags = data.get(FLAGS, 0);
        return (flags & ~INVERTED) != 0
                ? null
                : new Lookup(
                        data.get(SET), data.get(SET_ID, 0), data.get(SREG), data.get(DREG, NO_DATA), flags == INVERTED);
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(SET, set);
        if (setId != 0) {
            writer.put(SET_ID, setId);
        }
        writer.put(SREG, key);
        if (data != NO_DATA) {
            writer.put(DREG, data);
        }
        writer.put(FLAGS, inverted ? INVERTED : 0);
    }

    @Override
    public String toString() {
        return "[ lookup reg " + key + " set " + set + (data == NO_DATA ? "" : " dreg " + data)
                + (inverted ? " 0x1 ]" : " 0x0 ]");
    }
}
