package io.dualstackd.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlReader;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever bytes come: a value that can be written again, or a DecodeException, and nothing else. */
class RouteFuzzTest {
    private static final List<NlHex> GOLDENS = NlHex.all("route");

    @Property(tries = 3000)
    void randomBytes(@ForAll @Size(max = 200) byte[] bytes) {
        for (RouteCodecs<?> codec : RouteCodecs.BY_NAME.values()) {
            valueOrRefusal(codec, bytes);
        }
    }

    @Property(tries = 5000)
    void spoiledMessages(
            @ForAll @IntRange(max = 1000) int which,
            @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 4000) Integer> places,
            @ForAll byte value) {
        NlHex golden = GOLDENS.get(which % GOLDENS.size());
        byte[] body = golden.body(golden.bodyLength()).rest().toArray();
        for (int place : places) {
            body[place % body.length] = value;
        }
        valueOrRefusal(RouteCodecs.of(golden), body);
    }

    private static void valueOrRefusal(RouteCodecs<?> codec, byte[] body) {
        try {
            assertThat(codec.rewrite(NlReader.of(body, "random"))).isNotNull();
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageContaining("random");
        }
    }
}
