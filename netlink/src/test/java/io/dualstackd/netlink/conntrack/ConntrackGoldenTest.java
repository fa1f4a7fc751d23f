package io.dualstackd.netlink.conntrack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.ip.Proto;
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

/** Messages as the kernel sent them. */
class ConntrackGoldenTest {
    private static final AttrTable NOTHING = AttrTable.of("NOTHING");

    static List<NlHex> messages() {
        return NlHex.all("conntrack");
    }

    @ParameterizedTest
    @MethodSource("messages")
    void printsAsExpected(NlHex golden) throws DecodeException {
        assertThat(ConntrackEntry.read(golden.received())).hasToString(golden.prints());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void flowViewAgreesWithDecodedEntry(NlHex golden) throws DecodeException {
        ConntrackEntry entry = ConntrackEntry.read(golden.received());
        FlowView flow = FlowView.read(golden.received());
        assertThat(flow.destination()).isEqualTo(entry.original().destination());
        assertThat(flow.replySource()).isEqualTo(entry.reply().source());
        assertThat(flow.zone())
                .isEqualTo(Math.max(entry.zone(), entry.original().zone()));
        for (Proto proto : List.of(Proto.TCP, Proto.UDP, Proto.ICMP)) {
            assertThat(flow.is(proto)).isEqualTo(entry.original().proto().equals(proto));
        }
        assertThat(flow.entry()).isEqualTo(entry);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void writesWhatItRead(NlHex golden) throws DecodeException {
        ConntrackEntry entry = ConntrackEntry.read(golden.received());
        NlWriter writer = new NlWriter();
        entry.writeTo(writer);
        assertThat(attributes(writer.toBytes().reader("written")))
                .containsExactlyInAnyOrderElementsOf(attributes(golden.body(golden.bodyLength())));
        assertThat(ConntrackEntry.read(message(writer.toBytes()))).isEqualTo(entry);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyCutOffBodyIsReadOrRefused(NlHex golden) throws DecodeException {
        int tuples = 4
                + attributes(golden.body(golden.bodyLength())).stream()
                        .limit(2)
                        .mapToInt(attr -> attr.payload().length() + 4)
                        .sum();
        for (int length = 0; length < golden.bodyLength(); length++) {
            NlMessage cut = message(golden.body(golden.bodyLength()).bytes(length));
            // A message is padded to four bytes.
            if (length <= tuples - 4) {
                assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> ConntrackEntry.read(cut));
                assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> FlowView.read(cut));
            } else {
                readOrRefused(cut);
            }
        }
    }

    private static void readOrRefused(NlMessage message) {
        try {
            assertThat(ConntrackEntry.read(message)).isNotNull();
            assertThat(FlowView.read(message)).isNotNull();
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageContaining("CT");
        }
    }

    static NlMessage message(Bytes body) throws DecodeException {
        NlWriter writer = new NlWriter();
        int mark = writer.startMessage(ConntrackMessages.NEW, 0, 1);
        writer.bytes(body);
        writer.endMessage(mark);
        return NlMessage.split(writer.toByteArray(), writer.length()).getFirst();
    }

    private static List<RawAttr> attributes(NlReader body) throws DecodeException {
        body.skip(4);
        return body.attrs(NOTHING).unknown();
    }
}
