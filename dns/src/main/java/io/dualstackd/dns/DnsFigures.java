package io.dualstackd.dns;

import java.util.Map;

/**
 * Counters of the server since its start, and its current sizes.
 *
 * @param udpQueries packets received over UDP
 * @param tcpQueries messages received over TCP
 * @param ignored of both, those that were not answered at all
 * @param foreign questions over UDP and connections over TCP of clients that are not answered
 * @param refused of both, those that were answered with an error code because of their form
 * @param forwarded questions that were forwarded to other resolvers
 * @param cached questions that were answered from the cache
 * @param overLimit questions that were rejected because too many were under way
 * @param failed questions that no resolver answered
 * @param truncated answers over UDP that were truncated
 * @param dropped answers that did not fit into the kernel's send buffer
 * @param answers sent, by the name of their code
 * @param errors internal errors of dualstackd; they are logged
 * @param services in the zone
 * @param remembered cached answers
 * @param rememberedBytes their size in bytes
 * @param underway questions that wait for other resolvers
 * @param resolversSilent whether none of the other resolvers answered the last questions
 * @param connections over TCP
 */
public record DnsFigures(
        long udpQueries,
        long tcpQueries,
        long ignored,
        long foreign,
        long refused,
        long forwarded,
        long cached,
        long overLimit,
        long failed,
        long truncated,
        long dropped,
        Map<String, Long> answers,
        long errors,
        int services,
        int remembered,
        long rememberedBytes,
        int underway,
        boolean resolversSilent,
        int connections) {
    public DnsFigures {
        answers = Map.copyOf(answers);
    }
}
