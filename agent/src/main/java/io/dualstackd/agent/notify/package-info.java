/**
 * The notifications to systemd, and when each is sent ({@code sd_notify(3)}).
 *
 * <p>In: the environment in which systemd starts a service, the status report, the age of every reconciler's last heartbeat. Out:
 * notifications and their text. Must not touch: sockets, clocks.
 *
 * <p>The one surprising thing: no timer feeds the watchdog. It is fed when every reconciler has beaten since the last time, so a single
 * stuck reconciler makes systemd restart the whole daemon; the rules stay in the kernel meanwhile.
 */
@NullMarked
package io.dualstackd.agent.notify;

import org.jspecify.annotations.NullMarked;
