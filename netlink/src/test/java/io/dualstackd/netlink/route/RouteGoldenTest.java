package io.dualstackd.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages as the kernel sent them, and as we write them. */
class RouteGoldenTest {
    private static final AttrTable NOTHING = AttrTable.of("NOTHING");

    static List<NlHex> messages() {
        return NlHex.all("route");
    }

    @ParameterizedTest
    @MethodSource("messages")
    void printsAsExpected(NlHex golden) throws DecodeException {
        assertThat(RouteCodecs.of(golden).read(golden.received().body(golden.name())))
                .hasToString(golden.prints());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void writesWhatItRead(NlHex golden) throws DecodeException {
        RouteCodecs<?> codec = RouteCodecs.of(golden);
        Bytes written = codec.rewrite(golden.body(golden.bodyLength()));
        // The order of attributes is the writer's choice.
        assertThat(attributes(written.reader("written"), codec))
                .containsExactlyInAnyOrderElementsOf(attributes(golden.body(golden.bodyLength()), codec));
        assertThat(codec.read(written.reader("written"))).isEqualTo(codec.read(golden.body(golden.bodyLength())));
        assertThat(written.reader("written").bytes(codec.header()))
                .isEqualTo(golden.body(golden.bodyLength()).bytes(codec.header()));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyCutOffMessageIsRefused(NlHex golden) {
        byte[] bytes = golden.message().toArray();
        for (int length = 1; length < bytes.length; length++) {
            int end = length;
            assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> NlMessage.split(bytes, end));
        }
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyCutOffBodyIsReadOrRefused(NlHex golden) {
        RouteCodecs<?> codec = RouteCodecs.of(golden);
        int refused = 0;
        for (int length = 0; length < golden.bodyLength(); length++) {
            try {
                assertThat(codec.read(golden.body(length))).isNotNull();
            } catch (DecodeException expected) {
                assertThat(expected).hasMessageContaining(golden.name());
                refused++;
            }
        }
        assertThat(refused).isGreaterThanOrEqualTo(golden.bodyLength() * 3 / 4 - 4);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void unknownAttributeSurvives(NlHex golden) throws DecodeException {
        RouteCodecs<?> codec = RouteCodecs.of(golden);
        RawAttr unknown = new RawAttr(0x3ffe, Bytes.ofHex("c0ffee"));
        NlWriter writer = new NlWriter();
        writer.bytes(golden.body(golden.bodyLength()).rest());
        writer.put(unknown);
        Bytes rewritten = codec.rewrite(writer.toBytes().reader("extended"));
        assertThat(attributes(rewritten.reader("rewritten"), codec)).contains(unknown);
    }

    private static List<RawAttr> attributes(NlReader body, RouteCodecs<?> codec) throws DecodeException {
        body.skip(codec.header());
        return body.attrs(NOTHING).unknown();
    }
}
