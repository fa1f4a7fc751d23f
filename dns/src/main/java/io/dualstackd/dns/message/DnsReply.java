package io.dualstackd.dns.message;

import java.util.Optional;

/**
 * An upstream resolver's answer.
 *
 * @param question may be missing when the answer consists of an error code only
 */
public record DnsReply(int id, Optional<DnsQuestion> question, DnsAnswer answer) {}
