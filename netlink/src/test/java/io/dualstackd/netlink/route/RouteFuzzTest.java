package io.dualstackd.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.random.Tries;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever bytes come: a value that can be written again, or a DecodeException, and nothing else. */
class RouteFuzzTest {
    private static final List<NlHex> GOLDENS = NlHex.all("route");

    @Test
    void randomBytes() {
        Tries.of(3000, draw -> randomBytes(draw.bytes(200)));
    }

    private void randomBytes(byte[] bytes) {
        for (RouteCodecs<?> codec : RouteCodecs.BY_NAME.values()) {
            valueOrRefusal(codec, bytes);
        }
    }

    @Test
    void spoiledMessages() {
        Tries.of(5000, draw -> spoiledMessages(draw.upTo(1000), draw.list(1, 6, () -> draw.upTo(4000)), draw.aByte()));
    }

    private void spoiledMessages(int which, List<Integer> places, byte value) {
        NlHex golden = GOLDENS.get(which % GOLDENS.size());
        byte[] body = golden.body(golden.bodyLength()).rest().toArray();
        for (int place : places) {
            body[place % body.length] = value;
        }
        valueOrRefusal(RouteCodecs.of(golden), body);
    }

    private static void valueOrRefusal(RouteCodecs<?> codec, byte[] body) {
        try {
            assertThat(codec.rewrite(Bytes.of(body).reader("random"))).isNotNull();
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageContaining("random");
        }
    }
}
