package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.random.Tries;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalTest {
    static List<NlHex> messages() {
        return NlHex.all("io");
    }

    @ParameterizedTest
    @MethodSource("messages")
    void printsAsExpected(NlHex golden) throws DecodeException {
        assertThat(Refusal.ofError(golden.received()).orElseThrow()).hasToString(golden.prints());
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

    @Test
    void missingAttributeIsNamed() throws DecodeException {
        Arrival.Messages message = Answers.datagram(w ->
                Answers.message(w, NlMessage.ERROR, NlFlags.CAPPED | NlFlags.ACK_ATTRIBUTES, 9, body -> {
                    body.u32(-22);
                    body.zeros(16);
                    body.put(new Attr.U32(5, "NLMSGERR_ATTR_MISS_TYPE"), 7);
                }));
        assertThat(Refusal.ofError(message.messages().getFirst()).orElseThrow())
                .hasToString("EINVAL (22) Invalid argument, attribute 7 is missing");
    }

    @Test
    void randomBytes() {
        Tries.of(3000, draw -> randomBytes(draw.bytes(120), (short) draw.between(Short.MIN_VALUE, Short.MAX_VALUE)));
    }

    private void randomBytes(byte[] bytes, short flags) {
        NlWriter writer = new NlWriter();
        Answers.message(writer, NlMessage.ERROR, flags, 1, body -> body.bytes(bytes, 0, bytes.length));
        NlMessage message = Answers.split(writer.toByteArray()).messages().getFirst();
        try {
            assertThat(Refusal.ofError(message)).isNotNull();
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageStartingWith("NLMSG_ERROR");
        }
        try {
            assertThat(Refusal.ofDone(message)).isNotNull();
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageStartingWith("NLMSG_DONE");
        }
    }

    @Test
    void randomDatagram() {
        Tries.of(3000, draw -> randomDatagram(draw.bytes(200)));
    }

    private void randomDatagram(byte[] bytes) {
        try {
            assertThat(NlMessage.split(bytes, bytes.length)).isNotNull();
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageStartingWith("netlink datagram");
        }
    }
}
