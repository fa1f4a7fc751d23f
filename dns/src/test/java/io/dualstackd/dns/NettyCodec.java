package io.dualstackd.dns;

import io.dualstackd.netlink.ip.Ip;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryEncoder;
import io.netty.handler.codec.dns.DatagramDnsResponseDecoder;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsOpCode;
import io.netty.handler.codec.dns.DnsPtrRecord;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsSection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Netty's reader and writer of messages: independent of ours, so that our own bugs cannot cancel each other out. */
public final class NettyCodec {
    private static final InetSocketAddress SOMEWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 53);

    private NettyCodec() {}

    /** @param payload of an OPT record, or 0 for none */
    public static byte[] query(int id, String name, String type, int payload) {
        return query(id, DnsOpCode.QUERY, name, type, DnsRecord.CLASS_IN, payload);
    }

    public static byte[] query(int id, DnsOpCode code, String name, String type, int dnsClass, int payload) {
        DatagramDnsQuery query = new DatagramDnsQuery(SOMEWHERE, SOMEWHERE, id, code);
        query.setRecursionDesired(true);
        query.addRecord(DnsSection.QUESTION, new DefaultDnsQuestion(name, DnsRecordType.valueOf(type), dnsClass));
        if (payload > 0) {
            query.addRecord(
                    DnsSection.ADDITIONAL,
                    new DefaultDnsRawRecord(".", DnsRecordType.OPT, payload, 0, Unpooled.EMPTY_BUFFER));
        }
        EmbeddedChannel channel = new EmbeddedChannel(new DatagramDnsQueryEncoder());
        channel.writeOutbound(query);
        DatagramPacket packet = channel.readOutbound();
        try {
            return ByteBufUtil.getBytes(packet.content());
        } finally {
            packet.release();
            channel.finishAndReleaseAll();
        }
    }

    /** What Netty reads in an answer. */
    public record Read(
            int id,
            String code,
            boolean authoritative,
            boolean truncated,
            boolean recursionDesired,
            boolean recursionAvailable,
            String question,
            List<String> answers,
            List<String> authority,
            List<String> additional) {}

    public static Read read(byte[] message) {
        EmbeddedChannel channel = new EmbeddedChannel(new DatagramDnsResponseDecoder());
        channel.writeInbound(new DatagramPacket(Unpooled.wrappedBuffer(message), SOMEWHERE, SOMEWHERE));
        DnsResponse response = channel.readInbound();
        try {
            int questions = response.count(DnsSection.QUESTION);
            DnsQuestion question = questions == 0 ? null : response.recordAt(DnsSection.QUESTION);
            return new Read(
                    response.id(),
                    response.code().toString().replaceFirst("\\(.*", ""),
                    response.isAuthoritativeAnswer(),
                    response.isTruncated(),
                    response.isRecursionDesired(),
                    response.isRecursionAvailable(),
                    question == null
                            ? ""
                            : question.name() + " " + question.type().name(),
                    records(response, DnsSection.ANSWER),
                    records(response, DnsSection.AUTHORITY),
                    records(response, DnsSection.ADDITIONAL));
        } finally {
            response.release();
            channel.finishAndReleaseAll();
        }
    }

    private static List<String> records(DnsResponse response, DnsSection section) {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < response.count(section); i++) {
            DnsRecord record = response.recordAt(section, i);
            records.add(record.name() + " " + record.timeToLive() + " "
                    + record.type().name() + " " + data(record));
        }
        return records;
    }

    private static String data(DnsRecord record) {
        if (record instanceof DnsPtrRecord pointer) {
            return pointer.hostname();
        }
        ByteBuf content = ((DnsRawRecord) record).content();
        return switch (record.type().name()) {
            case "A", "AAAA" -> Ip.ofBytes(ByteBufUtil.getBytes(content)).toString();
            case "CNAME", "NS" -> DefaultDnsRecordDecoder.decodeName(content);
            case "SRV" ->
                content.readUnsignedShort() + " " + content.readUnsignedShort() + " " + content.readUnsignedShort()
                        + " " + DefaultDnsRecordDecoder.decodeName(content);
            default -> ByteBufUtil.hexDump(content);
        };
    }
}
