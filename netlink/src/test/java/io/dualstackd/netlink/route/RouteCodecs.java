package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * The codecs of this package, as tests name them.
 *
 * @param header bytes before the attributes
 */
record RouteCodecs<T>(int header, Reader<T> reader, BiConsumer<NlWriter, T> writer) {
    @FunctionalInterface
    interface Reader<T> {
        T read(NlReader reader) throws DecodeException;
    }

    static final Map<String, RouteCodecs<?>> BY_NAME = Map.of(
            "link", new RouteCodecs<>(16, LinkCodec::read, LinkCodec::write),
            "address", new RouteCodecs<>(8, AddressCodec::read, AddressCodec::write),
            "route", new RouteCodecs<>(12, RouteCodec::read, RouteCodec::write));

    static RouteCodecs<?> of(NlHex golden) {
        return Objects.requireNonNull(BY_NAME.get(golden.decode()), golden.decode());
    }

    T read(NlReader body) throws DecodeException {
        return reader.read(body);
    }

    Bytes rewrite(NlReader body) throws DecodeException {
        NlWriter out = new NlWriter();
        writer.accept(out, read(body));
        return out.toBytes();
    }
}
