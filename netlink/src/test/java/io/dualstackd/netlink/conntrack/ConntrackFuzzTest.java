package io.dualstackd.netlink.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.random.Tries;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever bytes come: a value that can be printed and written again, or a DecodeException, and nothing else. */
class ConntrackFuzzTest {
    private static final List<NlHex> GOLDENS = NlHex.all("conntrack");

    @Test
    void randomBytes() {
        Tries.of(3000, draw -> randomBytes(draw.bytes(200)));
    }

    private void randomBytes(byte[] bytes) throws DecodeException {
        valueOrRefusal(ConntrackGoldenTest.message(Bytes.of(bytes)));
    }

    @Test
    void spoiledMessages() {
        Tries.of(
                10_000, draw -> spoiledMessages(draw.upTo(1000), draw.list(1, 6, () -> draw.upTo(4000)), draw.aByte()));
    }

    private void spoiledMessages(int which, List<Integer> places, byte value) throws DecodeException {
        NlHex golden = GOLDENS.get(which % GOLDENS.size());
        byte[] bytes = golden.message().toArray();
        for (int place : places) {
            bytes[16 + place % (bytes.length - 16)] = value;
        }
        valueOrRefusal(NlMessage.split(bytes, bytes.length).getFirst());
    }

    private static void valueOrRefusal(NlMessage message) {
        try {
            FlowView flow = FlowView.read(message);
            assertThat(flow.destination().ip().family())
                    .isEqualTo(flow.replySource().ip().family());
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageContaining("CT");
        }
        try {
            ConntrackEntry entry = ConntrackEntry.read(message);
            assertThat(entry.toString()).isNotEmpty();
            NlWriter writer = new NlWriter();
            entry.writeTo(writer);
            entry.writeNames(writer);
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageContaining("CT");
        }
    }
}
