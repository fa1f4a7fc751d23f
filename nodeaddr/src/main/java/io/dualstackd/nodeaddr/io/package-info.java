/**
 * Reads the state of a host from the kernel through rtnetlink, once or continuously.
 *
 * <p>In: a network namespace. Out: {@link io.dualstackd.nodeaddr.Host}, and a call of a listener when it changed. Must not touch: the
 * choice of the node's address, names, loggers.
 *
 * <p>The one surprising thing: the content of kernel notifications is never used as state; they only cause a new read. Their content is
 * compared with the known state, so that notifications without a change cause no read; and the only routes subscribed to are default
 * routes.
 */
@NullMarked
package io.dualstackd.nodeaddr.io;

import org.jspecify.annotations.NullMarked;
