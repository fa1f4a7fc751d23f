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
}
