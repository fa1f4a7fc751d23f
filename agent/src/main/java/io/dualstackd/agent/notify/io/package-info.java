/**
 * The conversation with systemd: {@link io.dualstackd.agent.notify.io.ServiceManager}, one thread and one Unix socket.
 *
 * <p>In: the daemon's status report and the lines' heartbeats. Out: datagrams. Must not touch: lines, the Store; it decides nothing, see
 * {@link io.dualstackd.agent.notify.NotifyState}.
 *
 * <p>The one surprising thing: systemd that does not read is no failure of ours. What could not be sent is said once in the log, and
 * the next notice is tried all the same.
 */
@NullMarked
package io.dualstackd.agent.notify.io;

import org.jspecify.annotations.NullMarked;
