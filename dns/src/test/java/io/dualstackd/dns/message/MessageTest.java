package io.dualstackd.dns.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.dns.Answers;
import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.Zone;
import io.dualstackd.dns.ZoneAnswer;
import io.dualstackd.netlink.ip.Ip;
import io.netty.handler.codec.dns.DnsOpCode;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageTest {
    private static final String WEB = "wEb.default.svc.cluster.local";

    private static ReceivedQuery read(byte[] message) {
        return MessageReader.query(message, message.length);
    }

    private static DnsQuery valid(byte[] message) {
        assertThat(read(message)).isInstanceOf(ReceivedQuery.Valid.class);
        return ((ReceivedQuery.Valid) read(message)).query();
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void aQueryAsNettyWritesIt() {
        DnsQuery query = valid(NettyCodec.query(4711, WEB, "AAAA", 4096));
        assertThat(query)
                .isEqualTo(new DnsQuery(
                        4711,
                        true,
                        false,
                        false,
                        new DnsQuestion(DnsName.parse(WEB), DnsRecordType.AAAA),
                        Optional.of(new Edns(4096, false))));
        assertThat(query.question().name().toString()).isEqualTo(WEB + ".");
    }

    @Test
    void anAnswerAsNettyReadsIt() {
        DnsQuery query = valid(NettyCodec.query(7, "_http._tcp.web.default.svc.cluster.local", "SRV", 0));
        ZoneAnswer answer = SampleCluster.zone().answer(query.question(), 0);
        byte[] message = MessageWriter.answer(query, ((ZoneAnswer.Known) answer).answer(), true, 512);
        assertThat(NettyCodec.read(message))
                .isEqualTo(new NettyCodec.Read(
                        7,
                        "NoError",
                        true,
                        false,
                        true,
                        true,
                        "_http._tcp.web.default.svc.cluster.local. SRV",
                        List.of(
                                "_http._tcp.web.default.svc.cluster.local. 5 SRV 0 50 80 web.default.svc.cluster.local."),
                        List.of(),
                        List.of(
                                "web.default.svc.cluster.local. 5 A 10.96.0.10",
                                "web.default.svc.cluster.local. 5 AAAA fd00:96::10")));
    }

    @Test
    void everyAnswerOfTheZoneIsReadAsItWasWritten() {
        Zone zone = SampleCluster.zone();
        for (String name : List.of(
                "cluster.local",
                WEB,
                "db.default.svc.cluster.local",
                "nothing.cluster.local",
                "dns-version.cluster.local",
                "10.0.96.10.in-addr.arpa",
                "inside.default.svc.cluster.local")) {
            for (String type : List.of("A", "AAAA", "SRV", "SOA", "NS", "TXT", "PTR", "CNAME")) {
                DnsQuery query = valid(NettyCodec.query(1, name, type, 1232));
                if (zone.answer(query.question(), 0) instanceof ZoneAnswer.Known(DnsAnswer answer)) {
                    byte[] message = MessageWriter.answer(query, answer, false, 65_535);
                    DnsReply reply =
                            MessageReader.reply(message, message.length).orElseThrow();
                    assertThat(reply.question()).contains(query.question());
                    assertThat(texts(reply.answer())).isEqualTo(texts(answer));
                }
            }
        }
    }

    /** An owner that is the question's name comes in the question's case. {@code TXT} is read as bytes. */
    private static List<String> texts(DnsAnswer answer) {
        List<String> all = new ArrayList<>(List.of(answer.code().toString()));
        List.of(answer.answers(), answer.authority(), answer.additional())
                .forEach(section -> section.forEach(record -> all.add(
                        Answers.text(record).replaceFirst("TXT.*", "TXT").toLowerCase(Locale.ROOT))));
        return all;
    }

    @Test
    void namesAreCompressed() {
        DnsQuery query = valid(NettyCodec.query(1, WEB, "A", 0));
        ZoneAnswer answer = SampleCluster.zone().answer(query.question(), 0);
        byte[] message = MessageWriter.answer(query, ((ZoneAnswer.Known) answer).answer(), false, 512);
        int question = 12 + WEB.length() + 2 + 4;
        assertThat(message).hasSize(question + 2 + 10 + 4);
        assertThat(HexFormat.of().formatHex(message, question, question + 2)).isEqualTo("c00c");
    }

    @ParameterizedTest
    @CsvSource({
        // Header, then what is wrong.
        "0001 0100 0000 0000 0000 0000, FormErr, no question",
        "0001 0100 0002 0000 0000 0000 00 0001 0001 00 0001 0001, FormErr, two questions",
        "0001 0100 0001 0000 0000 0000, FormErr, the question is missing",
        "0001 0100 0001 0000 0000 0000 0361, FormErr, a label ends early",
        "0001 0100 0001 0000 0000 0000 4061 00 0001 0001, FormErr, a label of an unknown kind",
        "0001 0100 0001 0000 0000 0000 c00c 0001 0001, FormErr, a name that points to itself",
        "0001 0100 0001 0000 0000 0000 c00e c00c 0001 0001, FormErr, a name that points forward",
        "0001 0100 0001 0000 0000 0000 0161 c00c 0001 0001, FormErr, a name that points to its own beginning",
        "0001 0100 0001 0000 0000 0000 c0ff 0001 0001, FormErr, a name that points outside",
        "0001 0100 0001 0000 0000 0001 00 0001 0001, FormErr, an additional record is missing",
        "0001 0100 0001 0000 0000 0001 00 0001 0001 00 0029 04d0 00000000 0005 00, FormErr, options end early",
        "0001 0100 0001 0000 0000 0002 00 0001 0001 00 0029 04d0 00000000 0000 00 0029 04d0 00000000 0000, FormErr, two OPT records",
        "0001 0100 0001 0000 0000 0001 00 0001 0001 0161 00 0029 04d0 00000000 0000, FormErr, an OPT record with a name",
        "0001 0100 0001 0000 0000 0000 00 0029 0001, FormErr, asks for OPT",
        "0001 0100 0001 0000 0000 0001 00 0001 0001 00 0029 04d0 00010000 0000, BADVERS_OR_BADSIG, EDNS version 1",
        "0001 0100 0001 0000 0000 0000 00 00fc 0001, Refused, AXFR",
        "0001 0100 0001 0000 0000 0000 00 00fb 0001, Refused, IXFR",
        "0001 0100 0001 0000 0000 0000 00 0001 0003, Refused, class CH",
        "0001 2100 0001 0000 0000 0000 00 0006 0001, NotImp, NOTIFY",
        "0001 2900 0001 0000 0000 0000 00 0006 0001, NotImp, UPDATE",
    })
    void queriesThatAreAnsweredWithACode(String bytes, String code, String why) {
        byte[] message = hex(bytes);
        assertThat(read(message)).as(why).isInstanceOf(ReceivedQuery.Refused.class);
        NettyCodec.Read answer = NettyCodec.read(MessageWriter.refusal((ReceivedQuery.Refused) read(message), true));
        assertThat(answer.id()).isEqualTo(1);
        assertThat(answer.recursionDesired()).isTrue();
        // The upper bits of BADVERS are in the OPT record.
        assertThat(answer.code()).as(why).isEqualTo(code.startsWith("BADVERS") ? "NoError" : code);
        assertThat(answer.additional().size()).isEqualTo(code.startsWith("BADVERS") ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "0001 0100 0001 0000 0000 00",
                // An answer.
                "0001 8100 0001 0000 0000 0000 00 0001 0001"
            })
    void packetsThatAreNotAnswered(String bytes) {
        assertThat(read(hex(bytes))).isEqualTo(new ReceivedQuery.Ignored());
    }

    @Test
    void theOpcodeComesBack() {
        byte[] query = NettyCodec.query(3, DnsOpCode.UPDATE, "cluster.local", "SOA", 1, 0);
        byte[] answer = MessageWriter.refusal((ReceivedQuery.Refused) read(query), false);
        assertThat(answer[2] >> 3 & 0xf).isEqualTo(5);
    }

    @Test
    void namesOfAnyBytesGoThroughUnchanged() {
        byte[] message = hex("0001 0100 0001 0000 0000 0000 03 61ff42 04 2e005c20 00 0001 0001");
        DnsQuery query = valid(message);
        assertThat(query.question().name().toString()).isEqualTo("a\\255B.\\.\\000\\\\\\032.");
        byte[] answer = MessageWriter.answer(query, DnsAnswer.failure(DnsResponseCode.REFUSED), false, 512);
        assertThat(HexFormat.of().formatHex(answer, 12, answer.length))
                .isEqualTo(HexFormat.of().formatHex(message, 12, message.length));
        assertThat(DnsName.parse(query.question().name().toString())
                        .isExactly(query.question().name()))
                .isTrue();
    }

    @Test
    void theLongestNameIsANameAndALongerOneIsNot() {
        String labels = "3f" + "61".repeat(63);
        String longest = labels.repeat(3) + "3d" + "61".repeat(61) + "00";
        assertThat(valid(hex("0001 0100 0001 0000 0000 0000" + longest + "00010001"))
                        .question()
                        .name()
                        .size())
                .isEqualTo(255);
        String longer = labels.repeat(3) + "3e" + "61".repeat(62) + "00";
        assertThat(read(hex("0001 0100 0001 0000 0000 0000" + longer + "00010001")))
                .isInstanceOf(ReceivedQuery.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", ".a", "a b", "ä", "a\\", "a\\300", "a\\1x"})
    void textsThatAreNoNames(String text) {
        assertThatThrownBy(() -> DnsName.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"" + text + "\" is not a domain name: ");
    }

    @Test
    void aNameWithALabelOf64CharactersIsNone() {
        assertThatThrownBy(() -> DnsName.parse("x".repeat(64) + ".local"))
                .hasMessageEndingWith("a label has 1 to 63 characters");
        assertThatThrownBy(() -> DnsName.parse("x.".repeat(128)))
                .hasMessageEndingWith("it is longer than 253 characters");
    }

    private static DnsAnswer many(int count, DnsName owner) {
        List<DnsRecord> records = IntStream.range(0, count)
                .mapToObj(i -> DnsRecord.address(owner, 5, new Ip.V4(0x0a000000 + i)))
                .toList();
        return new DnsAnswer(DnsResponseCode.NOERROR, true, false, records, List.of(), List.of());
    }

    @ParameterizedTest
    // A record of 16 bytes each behind a question of 12 + 6 + 4, and the OPT record of 11.
    @CsvSource({"0, 512, 30, false", "0, 512, 31, true", "1232, 1232, 74, false", "1232, 1232, 75, true"})
    void answersAreCutBetweenRecords(int payload, int limit, int count, boolean truncated) {
        DnsQuery query = valid(NettyCodec.query(1, "many", "A", payload));
        byte[] message =
                MessageWriter.answer(query, many(count, query.question().name()), false, limit);
        NettyCodec.Read read = NettyCodec.read(message);
        assertThat(message.length).isLessThanOrEqualTo(limit);
        assertThat(read.truncated()).isEqualTo(truncated);
        assertThat(MessageWriter.isTruncated(message)).isEqualTo(truncated);
        assertThat(read.answers()).hasSize(truncated ? count - 1 : count);
        assertThat(read.additional()).hasSize(payload == 0 ? 0 : 1);
    }

    @Test
    void dropsAdditionalSectionSilently() {
        DnsQuery query = valid(NettyCodec.query(1, "many", "A", 0));
        DnsAnswer full = many(30, query.question().name());
        DnsAnswer more = new DnsAnswer(full.code(), true, false, full.answers(), List.of(), full.answers());
        NettyCodec.Read read = NettyCodec.read(MessageWriter.answer(query, more, false, 512));
        assertThat(read.truncated()).isFalse();
        assertThat(read.answers()).hasSize(30);
        assertThat(read.additional()).isEmpty();
    }

    @Test
    void recordsAfterTruncatedOneAreIntact() {
        // The second owner is remembered for compression while it is written, and then taken back.
        DnsQuery query = valid(NettyCodec.query(1, "a.b", "A", 0));
        DnsRecord big = new DnsRecord(
                DnsName.parse("x.y"), DnsRecordType.TXT, 5, new RecordData.Other(MessageBytes.of(new byte[600])));
        DnsRecord small = DnsRecord.address(DnsName.parse("x.y"), 5, new Ip.V4(1));
        DnsAnswer answer = new DnsAnswer(DnsResponseCode.NOERROR, true, false, List.of(), List.of(), List.of(big));
        assertThat(NettyCodec.read(MessageWriter.answer(query, answer, false, 512))
                        .additional())
                .isEmpty();
        DnsAnswer other =
                new DnsAnswer(DnsResponseCode.NOERROR, true, false, List.of(small, small), List.of(), List.of());
        assertThat(NettyCodec.read(MessageWriter.answer(query, other, false, 512))
                        .answers())
                .containsExactly("x.y. 5 A 0.0.0.1", "x.y. 5 A 0.0.0.1");
    }

    /** RFC 6672, 2.5. */
    @Test
    void theTargetOfADnameIsNotCompressed() {
        DnsQuery query = valid(NettyCodec.query(1, "www.old.example", "A", 0));
        DnsRecord dname = new DnsRecord(
                DnsName.parse("old.example"),
                DnsRecordType.DNAME,
                60,
                new RecordData.Target(DnsName.parse("new.example")));
        DnsAnswer answer = new DnsAnswer(DnsResponseCode.NOERROR, false, false, List.of(dname), List.of(), List.of());
        String message = HexFormat.of().formatHex(MessageWriter.answer(query, answer, true, 512));
        assertThat(message).endsWith("0027" + "0001" + "0000003c" + "000d" + "036e6577" + "076578616d706c65" + "00");
    }

    @Test
    void recordsOfOtherTypesAreReadWithTheirNames() {
        // MX 10 mail.example. with a compressed name; a TTL with the highest bit; a record of another class.
        byte[] message = hex("0007 8180 0001 0003 0000 0000 07 6578616d706c65 00 000f 0001"
                + "c00c 000f 0001 0000003c 0009 000a 04 6d61696c c00c"
                + "c00c 0001 0001 80000001 0004 c0000201"
                + "c00c 0001 0003 0000003c 0004 c0000202");
        DnsReply reply = MessageReader.reply(message, message.length).orElseThrow();
        assertThat(reply.answer().answers().stream().map(Answers::text))
                .containsExactly("example. 60 MX \\# 000a046d61696c076578616d706c6500", "example. 0 A 192.0.2.1");
    }

    /** RFC 3597, 4: old servers compress names in these. The pointers mean something else in a message of ours. */
    @ParameterizedTest
    @CsvSource({
        // The data before the names, and how many names there are.
        "0007, '', 1, MB",
        "000e, '', 2, MINFO",
        "000f, 000a, 1, MX",
        "0011, '', 2, RP",
        "0012, 0001, 1, AFSDB",
        "0015, 000a, 1, RT",
        "0018, 0001 05 01 0000003c 00000001 00000000 1234, 1, SIG",
        "001a, 000a, 2, PX",
        "001e, '', 1, NXT",
        "0023, 0064 000a 01 53 07 5349502b443255 00, 1, NAPTR",
        "0024, 000a, 1, KX",
    })
    void compressedNamesInDataAreWrittenInFull(String type, String data, int names, String why) {
        String before = data.replace(" ", "");
        String behind = why.equals("NXT") || why.equals("SIG") ? "4000" : "";
        String compressed = before + "0161c00c".repeat(names) + behind;
        String record = "c00c" + type + "00010000003c" + "%04x".formatted(compressed.length() / 2) + compressed;
        byte[] message = hex("0007 8180 0001 0001 0000 0000 07 6578616d706c65 00" + type + "0001" + record);
        DnsReply reply = MessageReader.reply(message, message.length).orElseThrow();
        String full = before + "0161076578616d706c6500".repeat(names) + behind;
        assertThat(reply.answer().answers().stream().map(Answers::text))
                .as(why)
                .singleElement()
                .asString()
                .endsWith(" " + full);
    }

    @Test
    void brokenAnswersOfOthersAreNone() {
        byte[] good = hex(
                "0007 8180 0001 0001 0000 0000 07 6578616d706c65 00 0001 0001 c00c 0001 0001 0000003c 0004 c0000201");
        assertThat(MessageReader.reply(good, good.length)).isPresent();
        for (int length = 0; length < good.length; length++) {
            assertThat(MessageReader.reply(good, length)).as("%d bytes", length).isEmpty();
        }
        byte[] wrongLength =
                hex("0007 8180 0001 0001 0000 0000 07 6578616d706c65 00 0001 0001 c00c 0001 0001 0000003c 0003 c00002");
        assertThat(MessageReader.reply(wrongLength, wrongLength.length)).isEmpty();
    }
}
