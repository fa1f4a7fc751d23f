package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.MessageBytes;
import io.dualstackd.dns.message.RecordData;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Answers as text, to be compared in tables. */
public final class Answers {
    private Answers() {}

    /** {@code NOERROR} with records, {@code NODATA}, {@code NXDOMAIN}, or what else the zone says. */
    public static List<String> of(Zone zone, String name, String type) {
        return text(zone.answer(question(name, type), 0));
    }

    public static DnsQuestion question(String name, String type) {
        return new DnsQuestion(DnsName.parse(name), DnsRecordType.valueOf(type));
    }

    private static List<String> text(ZoneAnswer answer) {
        return switch (answer) {
            case ZoneAnswer.Known(DnsAnswer known) -> text(known);
            case ZoneAnswer.Alias(List<DnsRecord> aliases, DnsName target) ->
                Stream.concat(aliases.stream().map(Answers::text), Stream.of("-> " + target))
                        .toList();
            case ZoneAnswer.NotOurs() -> List.of("NOT OURS");
            case ZoneAnswer.NotReady() -> List.of("NOT READY");
        };
    }

    /** Records, or why there are none. */
    public static List<String> text(DnsAnswer answer) {
        if (!answer.code().equals(DnsResponseCode.NOERROR)) {
            return List.of(code(answer.code()));
        }
        return answer.answers().isEmpty()
                ? List.of("NODATA")
                : answer.answers().stream().map(Answers::text).toList();
    }

    private static String code(DnsResponseCode code) {
        return code.toString().replaceFirst("\\(.*", "").toUpperCase(Locale.ROOT);
    }

    /** Owner, TTL, type, data. */
    public static String text(DnsRecord record) {
        return record.owner() + " " + record.ttl() + " " + record.type().name() + " " + text(record.data());
    }

    private static String text(RecordData data) {
        return switch (data) {
            case RecordData.Address(var ip) -> ip.toString();
            case RecordData.Target(DnsName name) -> name.toString();
            case RecordData.Service(int priority, int weight, int port, DnsName target) ->
                priority + " " + weight + " " + port + " " + target;
            case RecordData.Authority soa ->
                soa.server() + " " + soa.mailbox() + " " + soa.serial() + " " + soa.refresh() + " " + soa.retry() + " "
                        + soa.expire() + " " + soa.minimum();
            case RecordData.Text(String text) -> "\"" + text + "\"";
            case RecordData.Other(MessageBytes messageBytes) -> "\\# " + messageBytes;
        };
    }
}
