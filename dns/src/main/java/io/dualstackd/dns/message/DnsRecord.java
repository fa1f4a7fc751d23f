package io.dualstackd.dns.message;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.netty.handler.codec.dns.DnsRecordType;

/**
 * A record of class {@code IN}.
 *
 * @param ttl seconds, 0 to 2³¹−1
 */
public record DnsRecord(DnsName owner, DnsRecordType type, int ttl, RecordData data) {
    /** Heap size of the objects of a record, without its names: measured with answers of 4,000 addresses. */
    private static final int OBJECT_BYTES = 72;

    /** Returns an {@code A} or {@code AAAA} record. */
    public static DnsRecord address(DnsName owner, int ttl, Ip ip) {
        return new DnsRecord(owner, addressType(ip.family()), ttl, new RecordData.Address(ip));
    }

    public static DnsRecordType addressType(IpFamily family) {
        return family == IpFamily.IPV4 ? DnsRecordType.A : DnsRecordType.AAAA;
    }

    /** Returns the same record with another TTL. */
    public DnsRecord withTtl(int seconds) {
        return new DnsRecord(owner, type, seconds, data);
    }

    /** The approximate heap size in bytes; each record has names of its own. */
    int heapBytes() {
        return OBJECT_BYTES
                + owner.heapBytes()
                + switch (data) {
                    case RecordData.Address ignored -> 0;
                    case RecordData.Target(DnsName name) -> name.heapBytes();
                    case RecordData.Service service -> service.target().heapBytes();
                    case RecordData.Authority soa ->
                        soa.server().heapBytes() + soa.mailbox().heapBytes();
                    case RecordData.Text(String text) -> text.length();
                    case RecordData.Other(MessageBytes other) -> other.size();
                };
    }
}
