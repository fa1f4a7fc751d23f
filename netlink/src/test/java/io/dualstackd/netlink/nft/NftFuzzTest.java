package io.dualstackd.netlink.nft;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.random.Tries;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtTarget;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever bytes come: a value that can be printed and written again, or a DecodeException, and nothing else. */
class NftFuzzTest {
    private static final List<NlHex> GOLDENS = NlHex.all("nft");
    private static final List<String> MATCHES = List.of(
            "comment",
            "addrtype",
            "conntrack",
            "statistic",
            "recent",
            "mark",
            "physdev",
            "tcp",
            "udp",
            "sctp",
            "multiport");
    private static final List<String> TARGETS = List.of("DNAT", "MASQUERADE", "MARK", "REJECT");

    @Test
    void randomBytes() {
        Tries.of(2000, draw -> randomBytes(draw.bytes(200)));
    }

    private void randomBytes(byte[] bytes) throws DecodeException {
        NlWriter writer = new NlWriter();
        int mark = writer.startMessage(NftMessageType.NEW_RULE, 0, 1);
        writer.bytes(bytes, 0, bytes.length);
        writer.endMessage(mark);
        NlMessage message =
                NlMessage.split(writer.toByteArray(), writer.length()).getFirst();
        for (NftCodecs<?> codec : NftCodecs.BY_NAME.values()) {
            valueOrRefusal(codec, message);
        }
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
        valueOrRefusal(
                NftCodecs.of(golden), NlMessage.split(bytes, bytes.length).getFirst());
    }

    @Test
    void randomStructures() {
        Tries.of(2000, draw -> randomStructures(draw.upTo(1000), draw.upTo(3), draw.bytes(300)));
    }

    private void randomStructures(int which, int revision, byte[] bytes) {
        Bytes info = Bytes.of(bytes);
        XtMatch match = XtMatch.read(MATCHES.get(which % MATCHES.size()), revision, info);
        assertThat(match.toString()).isNotEmpty();
        for (IpFamily family : IpFamily.values()) {
            XtTarget target = XtTarget.read(TARGETS.get(which % TARGETS.size()), revision, info, family);
            assertThat(target.toString()).isNotEmpty();
        }
    }

    @Test
    void randomUserData() {
        Tries.of(2000, draw -> randomUserData(draw.bytes(40)));
    }

    private void randomUserData(byte[] bytes) {
        assertThat(UserData.findComment(Bytes.of(bytes))).isNotNull();
    }

    private static void valueOrRefusal(NftCodecs<?> codec, NlMessage message) {
        try {
            assertThat(codec.read(message).toString()).isNotEmpty();
            assertThat(codec.rewrite(message)).isNotNull();
            assertThat(NftChange.read(message)).isNotNull();
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageContaining("NFT");
        }
    }
}
