/**
 * The whole daemon as a process of its own in a network namespace of the test's, watched from outside: by {@code iptables-save},
 * {@code nft}, {@code strace}, its exit code, its log and its admin socket.
 *
 * <p>The one surprising thing: the flags of the JVM are read from {@code bin/dualstackd}, so what is tested is what is started.
 */
@NullMarked
package io.dualstackd.agent.e2e;

import org.jspecify.annotations.NullMarked;
