/**
 * Measures the daemon in a cluster: a simulated API server in a process of its own, over TLS, and the daemon that reads from it.
 *
 * <p>In: sizes. Out: a table. Must not touch: the host; server and daemon run in a network namespace that is removed with the run.
 *
 * <p>The one surprising thing: the server supports only the daemon as a client. It streams lists, holds watches open and answers nothing
 * else.
 */
@NullMarked
package io.dualstackd.bench.cluster;

import org.jspecify.annotations.NullMarked;
