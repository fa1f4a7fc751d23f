package io.dualstackd.dns.forward;

import io.dualstackd.dns.message.DnsQuestion;

/** Questions with equal keys have equal answers: upper and lower case do not count. */
public record ForwardKey(DnsQuestion question, boolean dnssecOk, boolean checkingDisabled) {}
