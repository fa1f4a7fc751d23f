package io.dualstackd.dns.message;

import io.netty.handler.codec.dns.DnsRecordType;

/** What is asked for; the class is always {@code IN}. */
public record DnsQuestion(DnsName name, DnsRecordType type) {}
