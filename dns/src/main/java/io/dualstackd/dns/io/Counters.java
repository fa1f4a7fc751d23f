package io.dualstackd.dns.io;

import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.Map;
import java.util.TreeMap;

/** Counters of the server. Used by the thread {@code dns}. */
final class Counters {
    private static final Map<DnsResponseCode, String> CODES = Map.of(
            DnsResponseCode.NOERROR, "NOERROR",
            DnsResponseCode.FORMERR, "FORMERR",
            DnsResponseCode.SERVFAIL, "SERVFAIL",
            DnsResponseCode.NXDOMAIN, "NXDOMAIN",
            DnsResponseCode.NOTIMP, "NOTIMP",
            DnsResponseCode.REFUSED, "REFUSED",
            DnsResponseCode.BADVERS_OR_BADSIG, "BADVERS");

    /** One more than the largest of these codes. */
    private static final int SLOTS = 17;

    long udpQueries;
    long tcpQueries;
    long ignored;
    long foreign;
    long refused;
    long forwarded;
    long cached;
    long overLimit;
    long failed;
    long truncated;
    long dropped;
    long errors;
    private final long[] answers = new long[SLOTS];

    /** Counts an answer; other resolvers' codes never reach clients, except NXDOMAIN and failures. */
    void answered(DnsResponseCode code) {
        answers[Math.min(code.intValue(), SLOTS - 1)]++;
    }

    /** The numbers of answers by the name of their code. */
    Map<String, Long> answers() {
        Map<String, Long> byName = new TreeMap<>();
        CODES.forEach((code, name) -> byName.put(name, answers[code.intValue()]));
        return byName;
    }
}
