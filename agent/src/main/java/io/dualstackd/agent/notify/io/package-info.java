/**
 * The communication with systemd: {@link io.dualstackd.agent.notify.io.ServiceManager}, one thread and one Unix socket.
 *
 * <p>In: the daemon's status report and the reconcilers' heartbeats. Out: datagrams. Must not touch: reconcilers, the Store; it decides
 * nothing, see {@link io.dualstackd.agent.notify.NotifyState}.
 *
 * <p>The one surprising thing: a systemd that does not read is no failure of ours. What could not be sent is logged once, and the next
 * notification is sent all the same.
 */
@NullMarked
package io.dualstackd.agent.notify.io;

import org.jspecify.annotations.NullMarked;
