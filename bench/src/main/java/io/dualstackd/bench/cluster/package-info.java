/**
 * The daemon in a cluster: an API server of our own in a process of its own, over TLS, and the daemon that reads it.
 *
 * <p>In: sizes. Out: a table. Must not touch: the host; server and daemon live in a network namespace that goes with the run.
 *
 * <p>The one surprising thing: the server knows no client but ours. It streams lists, holds watches open and answers nothing else.
 */
@NullMarked
package io.dualstackd.bench.cluster;

import org.jspecify.annotations.NullMarked;
