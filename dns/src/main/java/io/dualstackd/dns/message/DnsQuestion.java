package io.dualstackd.dns.message;

import io.netty.handler.codec.dns.DnsRecordType;

/** A question; the class is always {@code IN}. */
public record DnsQuestion(DnsName name, DnsRecordType type) {}
