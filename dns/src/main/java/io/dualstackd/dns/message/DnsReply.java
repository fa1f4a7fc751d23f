package io.dualstackd.dns.message;

import java.util.Optional;

/**
 * An upstream resolver's answer. Without records when it was {@code truncated}.
 *
 * @param question may be missing when the answer consists of an error code only
 */
public record DnsReply(int id, boolean truncated, Optional<DnsQuestion> question, DnsAnswer answer) {}
