package io.dualstackd.netlink.nft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NftBatchTest {
    private static final TableName T = new TableName(NftFamily.IP, "t");
    private static final ChainName C = T.chain("c");
    private static final NftSet S = NftSet.set(T.set("s"), NftType.MARK);
    private static final NftRule RULE = NftRule.of(C, Counter.ZERO, new VerdictExpr(new Verdict.Accept()));
    private static final List<NftElement> ONE = List.of(NftElement.of(Bytes.u32be(5)));

    private static final int REQUEST = 1;
    private static final int ACK = 4;
    private static final int ECHO = 8;

    @Test
    void everyOperationPrintsItself() {
        NftBatch batch = NftBatch.begin()
                .add(NftTable.of(T))
                .delete(T)
                .add(NftChain.of(C))
                .add(NftChain.of(C, new NftHook("filter", NftHook.INPUT, 0)))
                .delete(C)
                .flush(C)
                .append(RULE)
                .prepend(RULE)
                .deleteRule(C, 7)
                .add(S)
                .delete(S.name())
                .addElements(S.name(), ONE)
                .deleteElements(S.name(), ONE);
        int count = batch.messages();
        batch.seal(100);
        String rule = " rule ip t c [ counter pkts 0 bytes 0 ] [ immediate reg 0 accept ]";
        assertThat(Stream.iterate(0, i -> i < count, i -> i + 1).map(i -> batch.describe(101 + i, 0)))
                .containsExactly(
                        "add table ip t",
                        "delete table ip t",
                        "add chain ip t c",
                        "add chain ip t c { type filter hook input priority 0; policy accept; }",
                        "delete chain ip t c",
                        "flush chain ip t c",
                        "append" + rule,
                        "prepend" + rule,
                        "delete rule handle 7 ip t c",
                        "add set ip t s",
                        "delete set ip t s",
                        "add 1 elements ip t s { 0x00000005 }",
                        "delete 1 elements ip t s { 0x00000005 }");
        assertThat(batch.describe(100, 0)).isEqualTo("transaction of 13 messages");
    }

    @Test
    void messagesAreNumberedAndTheLastOneIsAnswered() throws DecodeException {
        NftBatch batch = NftBatch.begin(77)
                .add(NftTable.of(T))
                .echo(true)
                .append(RULE)
                .echo(false)
                .append(RULE);
        assertThat(batch.sequences()).isEqualTo(5);
        List<NlMessage> messages = split(batch.seal(1000));
        assertThat(messages).extracting(NlMessage::sequence).containsExactly(1000, 1001, 1002, 1003, 1004);
        assertThat(messages).extracting(NlMessage::type).containsExactly(0x10, 0xa00, 0xa06, 0xa06, 0x11);
        assertThat(messages)
                .extracting(message -> message.flags() & (REQUEST | ACK | ECHO))
                .containsExactly(REQUEST, REQUEST | ECHO, REQUEST | ECHO, REQUEST | ACK, REQUEST);
        assertThat(batch.lastSequence()).isEqualTo(1003);
        // The first message is echoed for the sake of the generation; the table was not requested.
        assertThat(Stream.of(1000, 1001, 1002, 1003).map(batch::wantsEcho)).containsExactly(false, false, true, false);
        assertThat(messages.getFirst().body("begin").rest()).isEqualTo(Bytes.ofHex("0000000a 08000100 0000004d"));
    }

    @Test
    void longListsAreSplitAndNothingIsLost() throws DecodeException {
        List<NftElement> elements = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            elements.add(NftElement.of(Bytes.u32be(i)).withComment("c".repeat(i % (UserData.MAX_COMMENT + 1))));
        }
        NftBatch batch = NftBatch.begin().addElements(S.name(), elements);
        assertThat(batch.messages()).isGreaterThan(10);
        List<NftElement> read = new ArrayList<>();
        for (NlMessage message : split(batch.seal(1))) {
            if (message.type() == NftMessageType.NEW_ELEMENT) {
                read.addAll(ElementCodec.read(message).elements());
                assertThat(message.length()).isLessThan(66_000);
            }
        }
        assertThat(read).isEqualTo(elements);
    }

    @Test
    void anEmptyListIsNoMessage() {
        assertThat(NftBatch.begin().addElements(S.name(), List.of()).isEmpty()).isTrue();
    }

    @Test
    void aSealedOneStaysAsItIs() {
        NftBatch batch = NftBatch.begin().add(NftTable.of(T));
        batch.seal(1);
        assertThatIllegalStateException().isThrownBy(() -> batch.seal(5));
        assertThatIllegalStateException().isThrownBy(() -> batch.delete(T));
        assertThatIllegalStateException().isThrownBy(() -> NftBatch.begin().seal(1));
    }

    @Test
    void anEncodedRuleIsTheSameMessage() throws Exception {
        List<NftExpr> expressions = List.of(Counter.ZERO, new VerdictExpr(new Verdict.Accept()));
        RuleCompat compat = new RuleCompat(6, false);
        NftRule rule = NftRule.of(T.chain("c"), expressions).withCompat(compat);
        RuleBody body = RuleBody.encode(new NlWriter(), expressions, compat);
        NftBatch plain = NftBatch.begin().append(rule).prepend(rule);
        NftBatch encoded = NftBatch.begin().append(T.chain("c"), body).prepend(T.chain("c"), body);

        assertThat(encoded.seal(7).toBytes()).isEqualTo(plain.seal(7).toBytes());
        assertThat(encoded.describe(8, 0)).isEqualTo(plain.describe(8, 0)).startsWith("append rule");
        assertThat(encoded.describe(9, 0)).startsWith("prepend rule");
    }

    @Test
    void anOutdatedOneIsSealedAgainWithAnotherGeneration() throws Exception {
        NftBatch batch = NftBatch.begin(41).add(NftTable.of(T));
        Bytes first = batch.seal(1).toBytes();
        batch.renew(42);
        assertThat(batch.seal(11).toBytes())
                .isEqualTo(NftBatch.begin(42).add(NftTable.of(T)).seal(11).toBytes())
                .isNotEqualTo(first);
        assertThatIllegalStateException().isThrownBy(() -> batch.seal(21));
        assertThatIllegalStateException().isThrownBy(() -> NftBatch.begin().renew(1));
    }

    private static List<NlMessage> split(NlWriter writer) throws DecodeException {
        return NlMessage.split(writer.toByteArray(), writer.length());
    }
}
