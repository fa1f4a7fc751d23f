package io.dualstackd.dns.message;

/**
 * The pseudo record {@code OPT} (RFC 6891), without its options.
 *
 * @param payload bytes that fit into one UDP answer, as the sender says
 * @param dnssecOk bit {@code DO}: signatures are welcome
 */
public record Edns(int payload, boolean dnssecOk) {}
