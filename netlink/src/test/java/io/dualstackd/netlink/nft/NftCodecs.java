package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The codecs of this package, as the golden files name them.
 *
 * @param given numbers of the attributes that only the kernel writes, or only we
 */
record NftCodecs<T>(Reader<T> reader, BiConsumer<NlWriter, T> writer, Set<Integer> given) {
    @FunctionalInterface
    interface Reader<T> {
        T read(NlMessage message) throws DecodeException;
    }

    static final Map<String, NftCodecs<?>> BY_NAME = Map.of(
            "table", new NftCodecs<>(NftTable::read, (w, table) -> table.writeTo(w), Set.of(3, 4)),
            "chain", new NftCodecs<>(NftChain::read, (w, chain) -> chain.writeTo(w), Set.of(2, 6, 10)),
            "rule", new NftCodecs<>(NftRule::read, (w, rule) -> rule.writeTo(w), Set.of(3, 6)),
            // 8, 19, 20: the policy, and what newer kernels tell about the way a set is stored; 10: its id in a
            // transaction.
            "set", new NftCodecs<>(SetCodec::read, SetCodec::write, Set.of(8, 10, 16, 19, 20)),
            "elements", new NftCodecs<>(ElementCodec::read, NftCodecs::writeElements, Set.of()),
            "generation", new NftCodecs<>(NftGeneration::read, (w, generation) -> {}, Set.of(1, 2, 3)));

    static NftCodecs<?> of(NlHex golden) {
        return Objects.requireNonNull(BY_NAME.get(golden.decode()), golden.decode());
    }

    T read(NlMessage message) throws DecodeException {
        return reader.read(message);
    }

    /** Reads, writes with a header of its own, and gives the message. */
    NlMessage rewrite(NlMessage message) throws DecodeException {
        NlWriter out = new NlWriter();
        int mark = out.startMessage(message.type(), 0, 1);
        writer.accept(out, read(message));
        out.endMessage(mark);
        return NlMessage.split(out.toByteArray(), out.length()).getFirst();
    }

    private static void writeElements(NlWriter writer, ElementCodec.Listed listed) {
        ElementCodec.writeSet(writer, listed.set());
        int mark = writer.startNest(ElementCodec.ELEMENTS);
        listed.elements().forEach(element -> ElementCodec.write(writer, element));
        writer.endNest(mark, ElementCodec.ELEMENTS);
    }
}
