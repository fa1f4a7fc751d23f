package io.dualstackd.dns.io;

/** Counters of the server. Used by the thread {@code dns}. */
final class Counters {
    long udpQueries;
    long tcpQueries;
    long ignored;
    long refused;
    long forwarded;
    long cached;
    long overLimit;
    long failed;
    long truncated;
    long dropped;
    long errors;
}
