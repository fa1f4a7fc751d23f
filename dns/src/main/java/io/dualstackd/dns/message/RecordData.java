package io.dualstackd.dns.message;

import io.dualstackd.netlink.ip.Ip;

/** The data of a record, by its type. */
public sealed interface RecordData {
    /** {@code A} or {@code AAAA}. */
    record Address(Ip ip) implements RecordData {}

    /** {@code CNAME}, {@code PTR}, {@code NS}, {@code DNAME}. */
    record Target(DnsName name) implements RecordData {}

    /** {@code SRV}. */
    record Service(int priority, int weight, int port, DnsName target) implements RecordData {}

    /** {@code SOA}; times in seconds. */
    record Authority(DnsName server, DnsName mailbox, long serial, long refresh, long retry, long expire, long minimum)
            implements RecordData {}

    /** {@code TXT} of one string of at most 255 ASCII characters. */
    record Text(String text) implements RecordData {}

    /** Anything else, as on the wire; names in it are not compressed. */
    record Other(MessageBytes messageBytes) implements RecordData {}
}
