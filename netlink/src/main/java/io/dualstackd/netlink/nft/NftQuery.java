package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A request to read nf_tables objects.
 *
 * @param operation what it reads, for error messages
 * @param type the message type, see {@link NftMessageType}
 * @param body writes everything after the netlink header
 */
public record NftQuery(String operation, int type, Consumer<NlWriter> body) {
    /** Requests the generation; one answer, not a dump. */
    public static NftQuery generation() {
        return new NftQuery(
                "get nf_tables generation",
                NftMessageType.GET_GENERATION,
                writer -> NfHeader.write(writer, NftFamily.ALL));
    }

    public static NftQuery tables(NftFamily family) {
        return new NftQuery(
                "list tables of family " + family, NftMessageType.GET_TABLE, writer -> NfHeader.write(writer, family));
    }

    /** Requests one table; one answer, not a dump. */
    public static NftQuery table(TableName table) {
        return new NftQuery(
                "get table " + table, NftMessageType.GET_TABLE, writer -> NftTable.writeName(writer, table));
    }

    /** Requests one chain; one answer, not a dump. */
    public static NftQuery chain(ChainName chain) {
        return new NftQuery(
                "get chain " + chain, NftMessageType.GET_CHAIN, writer -> NftChain.writeName(writer, chain));
    }

    /** Requests the element with that key; one answer, not a dump. */
    public static NftQuery element(SetName set, Bytes key) {
        return new NftQuery("get element 0x" + key + " of set " + set, NftMessageType.GET_ELEMENT, writer -> {
            ElementCodec.writeSet(writer, set);
            int list = writer.startNest(ElementCodec.ELEMENTS);
            ElementCodec.write(writer, NftElement.of(key));
            writer.endNest(list, ElementCodec.ELEMENTS);
        });
    }

    /** Requests the element for all keys without one of their own; one answer, not a dump. */
    public static NftQuery catchAll(SetName set) {
        return new NftQuery("get element * of set " + set, NftMessageType.GET_ELEMENT, writer -> {
            ElementCodec.writeSet(writer, set);
            int list = writer.startNest(ElementCodec.ELEMENTS);
            ElementCodec.write(writer, NftElement.CATCH_ALL);
            writer.endNest(list, ElementCodec.ELEMENTS);
        });
    }

    /** Requests the chains of all tables of a family; the kernel offers no narrower list. */
    public static NftQuery chains(NftFamily family) {
        return new NftQuery(
                "list chains of family " + family, NftMessageType.GET_CHAIN, writer -> NfHeader.write(writer, family));
    }

    public static NftQuery rules(TableName table) {
        return new NftQuery(
                "list rules of table " + table, NftMessageType.GET_RULE, writer -> NftRule.writeTable(writer, table));
    }

    public static NftQuery rules(ChainName chain) {
        return new NftQuery(
                "list rules of chain " + chain, NftMessageType.GET_RULE, writer -> NftRule.writeChain(writer, chain));
    }

    /** Requests the rule with that handle; one answer, not a dump. */
    public static NftQuery rule(ChainName chain, long handle) {
        return new NftQuery("get rule " + handle + " of chain " + chain, NftMessageType.GET_RULE, writer -> {
            NftRule.writeChain(writer, chain);
            NftRule.writeHandle(writer, handle);
        });
    }

    public static NftQuery sets(TableName table) {
        return new NftQuery(
                "list sets of table " + table, NftMessageType.GET_SET, writer -> SetCodec.writeTable(writer, table));
    }

    /** Requests one set; one answer, not a dump. */
    public static NftQuery set(SetName set) {
        return new NftQuery("get set " + set, NftMessageType.GET_SET, writer -> SetCodec.writeName(writer, set));
    }

    /** Requests the elements with these keys; an answer for each, not a dump. The list must fit into one message; it is emptied. */
    public static NftQuery elements(SetName set, ElementList keys) {
        List<ElementList.Piece> pieces = keys.take(true);
        if (pieces.size() != 1) {
            throw new IllegalArgumentException("keys for " + pieces.size() + " messages, must be one");
        }
        ElementList.Piece piece = pieces.getFirst();
        return new NftQuery("get " + piece.elements + " elements of set " + set, NftMessageType.GET_ELEMENT, writer -> {
            ElementCodec.writeSet(writer, set);
            int list = writer.startNest(ElementCodec.ELEMENTS);
            writer.bytes(piece.content, 0, piece.length);
            writer.endNest(list, ElementCodec.ELEMENTS);
        });
    }

    public static NftQuery elements(SetName set) {
        return new NftQuery(
                "list elements of set " + set,
                NftMessageType.GET_ELEMENT,
                writer -> ElementCodec.writeSet(writer, set));
    }

    /** Reads a set from an answer to {@link #sets}. */
    public static NftSet readSet(NlMessage message) throws DecodeException {
        return SetCodec.read(message);
    }

    /** Reads the number of elements from an answer to {@link #set}; empty where the kernel does not say. */
    public static OptionalInt readCount(NlMessage message) throws DecodeException {
        return SetCodec.readCount(message);
    }

    /** Reads the elements in one message of an answer to {@link #elements(SetName)}. */
    public static List<NftElement> readElements(NlMessage message) throws DecodeException {
        return ElementCodec.read(message).elements();
    }
}
