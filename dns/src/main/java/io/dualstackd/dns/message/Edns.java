package io.dualstackd.dns.message;

/**
 * The pseudo record {@code OPT} (RFC 6891), without its options.
 *
 * @param payload largest UDP answer in bytes that the sender accepts
 * @param dnssecOk bit {@code DO}: the sender accepts signatures
 */
public record Edns(int payload, boolean dnssecOk) {}
