package io.dualstackd.dns.io;

/**
 * What the server has done since it began, and what it has now.
 *
 * @param udpQueries packets that came over UDP
 * @param tcpQueries messages that came over TCP
 * @param ignored of both, those that were not answered at all
 * @param refused of both, those that were answered with a code because of their form
 * @param forwarded questions for which other resolvers were asked
 * @param cached questions that were answered from memory
 * @param overLimit questions that were turned away because too many were under way
 * @param failed questions for which no resolver had an answer
 * @param truncated answers over UDP that had to be shortened
 * @param dropped answers that the kernel had no room for
 * @param errors faults of ours; the log has them
 * @param services in the zone
 * @param remembered answers in memory
 * @param rememberedBytes what they count for
 * @param underway questions that wait for other resolvers
 * @param connections over TCP
 */
public record DnsFigures(
        long udpQueries,
        long tcpQueries,
        long ignored,
        long refused,
        long forwarded,
        long cached,
        long overLimit,
        long failed,
        long truncated,
        long dropped,
        long errors,
        int services,
        int remembered,
        long rememberedBytes,
        int underway,
        int connections) {}
