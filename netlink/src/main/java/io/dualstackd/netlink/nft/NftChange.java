package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.List;

/** A change reported by the kernel about nf_tables, in a notification or an echo. */
public sealed interface NftChange {
    /** A table was created or changed. */
    record TableSet(NftTable table) implements NftChange {}

    record TableDeleted(TableName table) implements NftChange {}

    /** A chain was created or changed. */
    record ChainSet(NftChain chain) implements NftChange {}

    record ChainDeleted(ChainName chain) implements NftChange {}

    /** A rule was added, or replaced another. */
    record RuleSet(NftRule rule) implements NftChange {}

    /** A rule was removed; {@code rule} has its handle. */
    record RuleDeleted(NftRule rule) implements NftChange {}

    /** A set or map was created or changed. */
    record SetSet(NftSet set) implements NftChange {}

    record SetDeleted(SetName set) implements NftChange {}

    record ElementsSet(SetName set, List<NftElement> elements) implements NftChange {
        public ElementsSet {
            elements = List.copyOf(elements);
        }
    }

    record ElementsDeleted(SetName set, List<NftElement> elements) implements NftChange {
        public ElementsDeleted {
            elements = List.copyOf(elements);
        }
    }

    /** The end of a transaction, which consists of all changes since the end of the last one. */
    record Committed(NftGeneration generation) implements NftChange {}

    /** A change of objects that are not decoded, for example flow tables. */
    record Other(int messageType) implements NftChange {}

    static NftChange read(NlMessage message) throws DecodeException {
        int type = message.type();
        if (type >> 8 != NftMessageType.SUBSYSTEM) {
            return new Other(type);
        }
        return switch (type & 0xff) {
            case 0 -> new TableSet(NftTable.read(message));
            case 2 -> new TableDeleted(NftTable.read(message).name());
            case 3 -> new ChainSet(NftChain.read(message));
            case 5 -> new ChainDeleted(NftChain.read(message).name());
            case 6 -> new RuleSet(NftRule.read(message));
            case 8 -> new RuleDeleted(NftRule.read(message));
            case 9 -> new SetSet(SetCodec.read(message));
            case 11 -> new SetDeleted(SetCodec.read(message).name());
            case 12 -> {
                ElementCodec.Listed listed = ElementCodec.read(message);
                yield new ElementsSet(listed.set(), listed.elements());
            }
            case 14 -> {
                ElementCodec.Listed listed = ElementCodec.read(message);
                yield new ElementsDeleted(listed.set(), listed.elements());
            }
            case 15 -> new Committed(NftGeneration.read(message));
            default -> new Other(type);
        };
    }
}
