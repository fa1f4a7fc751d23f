package io.dualstackd.dns.message;

import java.util.Optional;

/**
 * A well-formed query with one question.
 *
 * @param recursionDesired bit {@code RD}
 * @param authenticData bit {@code AD}: the client requests to know whether the answer was validated
 * @param checkingDisabled bit {@code CD}
 */
public record DnsQuery(
        int id,
        boolean recursionDesired,
        boolean authenticData,
        boolean checkingDisabled,
        DnsQuestion question,
        Optional<Edns> edns) {}
