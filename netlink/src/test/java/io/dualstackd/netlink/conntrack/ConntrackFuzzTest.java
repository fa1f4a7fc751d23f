package io.dualstackd.netlink.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever bytes come: a value that can be printed and written again, or a DecodeException, and nothing else. */
class ConntrackFuzzTest {
    private static final List<NlHex> GOLDENS = NlHex.all("conntrack");

    @Property(tries = 3000)
    void randomBytes(@ForAll @Size(max = 200) byte[] bytes) throws DecodeException {
        valueOrRefusal(ConntrackGoldenTest.message(Bytes.of(bytes)));
    }

    @Property(tries = 10_000)
    void spoiledMessages(
            @ForAll @IntRange(max = 1000) int which,
            @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 4000) Integer> places,
            @ForAll byte value)
            throws DecodeException {
        NlHex golden = GOLDENS.get(which % GOLDENS.size());
        byte[] bytes = golden.message().toArray();
        for (int place : places) {
            bytes[16 + place % (bytes.length - 16)] = value;
        }
        valueOrRefusal(NlMessage.split(bytes, bytes.length).getFirst());
    }

    private static void valueOrRefusal(NlMessage message) {
        try {
            ListedFlow flow = ListedFlow.read(message);
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
