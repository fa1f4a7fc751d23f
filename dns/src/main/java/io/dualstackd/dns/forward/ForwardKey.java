package io.dualstackd.dns.forward;

import io.dualstackd.dns.message.DnsQuestion;

/** The key of cached and shared questions. Questions with equal keys have equal answers: upper and lower case are ignored. */
public record ForwardKey(DnsQuestion question, boolean dnssecOk, boolean checkingDisabled) {}
