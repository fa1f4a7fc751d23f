package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Looks up an address of the packet in the routing table and loads the result into a register.
 *
 * @param result {@code enum nft_fib_result}: {@link #OIF}, {@link #OIFNAME} or {@link #ADDRTYPE}
 * @param flags {@code enum nft_fib_flags}: {@link #SADDR}, {@link #DADDR}, {@link #MARK}, {@link #IIF} …
 */
public record Fib(int result, int flags, int register) implements NftExpr {
    public static final int OIF = 1;
    public static final int OIFNAME = 2;
    public static final int ADDRTYPE = 3;

    public static final int SADDR = 1;
    public static final int DADDR = 2;
    public static final int MARK = 4;
    public static final int IIF = 8;
    public static final int OUTPUT_IF = 16;
    public static final int PRESENT = 32;

    static final String NAME = "fib";
    private static final Attr.U32be DREG = new Attr.U32be(1, "NFTA_FIB_DREG");
    private static final Attr.U32be RESULT = new Attr.U32be(2, "NFTA_FIB_RESULT");
    private static final Attr.U32be FLAGS = new Attr.U32be(3, "NFTA_FIB_FLAGS");
    static final AttrTable TABLE = AttrTable.of("NFTA_FIB", DREG, RESULT, FLAGS);

    static NftExpr read(Attrs data) throws DecodeException {
        return new Fib(data.get(RESULT), data.get(FLAGS), data.get(DREG));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(DREG, register);
        writer.put(RESULT, result);
        writer.put(FLAGS, flags);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[ fib");
        String[] words = {"saddr", "daddr", "mark", "iif", "oif"};
        String dot = " ";
        for (int i = 0; i < words.length; i++) {
            if ((flags & 1 << i) != 0) {
                text.append(dot).append(words[i]);
                dot = " . ";
            }
        }
        text.append(
                switch (result) {
                    case OIF -> " oif";
                    case OIFNAME -> " oifname";
                    case ADDRTYPE -> " type";
                    default -> " result" + result;
                });
        return text.append((flags & PRESENT) != 0 ? " present" : "")
                .append(" => reg ")
                .append(register)
                .append(" ]")
                .toString();
    }
}
