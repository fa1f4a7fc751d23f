package io.dualstackd.dns.io;

/** Belong to the thread {@code dns}. */
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
