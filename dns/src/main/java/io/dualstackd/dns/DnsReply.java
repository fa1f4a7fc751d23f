package io.dualstackd.dns;

/** An upstream resolver's answer. Without records when it was {@code truncated}. */
public record DnsReply(int id, boolean truncated, DnsQuestion question, DnsAnswer answer) {}
