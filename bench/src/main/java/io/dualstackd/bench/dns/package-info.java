/**
 * Measures the DNS server of the daemon, with clients and another resolver in the same process.
 *
 * <p>In: a number of Services. Out: how many questions the thread {@code dns} answers in a second of its own time, and the memory that takes.
 * Must not touch: the kernel's rules; no root is needed.
 *
 * <p>The one surprising thing: only the time of the thread {@code dns} counts, because the clients need more than the server.
 */
@NullMarked
package io.dualstackd.bench.dns;

import org.jspecify.annotations.NullMarked;
