package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/** The verdict on a packet: at the end of a rule, or as the data of an element of a verdict map. */
public sealed interface Verdict {
    /** {@code NFTA_VERDICT_CODE}. */
    Attr.U32be CODE = new Attr.U32be(1, "NFTA_VERDICT_CODE");
    /** {@code NFTA_VERDICT_CHAIN}. */
    Attr.Text CHAIN = new Attr.Text(2, "NFTA_VERDICT_CHAIN");
    /** The attributes of a verdict nest. */
    AttrTable TABLE = AttrTable.of("NFTA_VERDICT", CODE, CHAIN);

    /** The code of a {@link Goto}. */
    int GOTO = -4;

    /** {@code NF_DROP}. */
    record Drop() implements Verdict {
        @Override
        public String toString() {
            return "drop";
        }
    }

    /** {@code NF_ACCEPT}. */
    record Accept() implements Verdict {
        @Override
        public String toString() {
            return "accept";
        }
    }

    /** {@code NFT_CONTINUE}: continue with the next rule. */
    record Continue() implements Verdict {
        @Override
        public String toString() {
            return "continue";
        }
    }

    /** {@code NFT_RETURN}: return to the calling chain. */
    record Return() implements Verdict {
        @Override
        public String toString() {
            return "return";
        }
    }

    /** {@code NFT_JUMP}: jump to another chain of the same table, and return at its end. */
    record Jump(String chain) implements Verdict {
        @Override
        public String toString() {
            return "jump -> " + chain;
        }
    }

    /** {@code NFT_GOTO}: go to another chain of the same table, without returning. */
    record Goto(String chain) implements Verdict {
        @Override
        public String toString() {
            return "goto -> " + chain;
        }
    }

    /** {@code NF_QUEUE} with a queue number, 0 to 65535. */
    record Queue(int number) implements Verdict {
        @Override
        public String toString() {
            return "queue";
        }
    }

    /** Any other code, for example a drop with an errno in its upper half. */
    record Other(int code) implements Verdict {
        @Override
        public String toString() {
            return "verdict " + code;
        }
    }

    /** {@code NFTA_VERDICT_CODE}. */
    default int code() {
        return switch (this) {
            case Drop() -> 0;
            case Accept() -> 1;
            case Queue(int number) -> 3 | number << 16;
            case Continue() -> -1;
            case Jump(var ignored) -> -3;
            case Goto(var ignored) -> GOTO;
            case Return() -> -5;
            case Other(int code) -> code;
        };
    }

    /** Writes the attributes of {@code NFTA_DATA_VERDICT}, without the nest around them. */
    default void writeTo(NlWriter writer) {
        writer.put(CODE, code());
        if (this instanceof Jump(String chain)) {
            writer.put(CHAIN, chain);
        } else if (this instanceof Goto(String chain)) {
            writer.put(CHAIN, chain);
        }
    }

    /** Reads the verdict from the content of its nest. */
    static Verdict read(Attrs verdict) throws DecodeException {
        int code = verdict.get(CODE);
        return switch (code) {
            case 0 -> new Drop();
            case 1 -> new Accept();
            case -1 -> new Continue();
            case -3 -> new Jump(verdict.get(CHAIN));
            case GOTO -> new Goto(verdict.get(CHAIN));
            case -5 -> new Return();
            default -> (code & 0xff) == 3 ? new Queue(code >>> 16) : new Other(code);
        };
    }
}
