/**
 * What systemd is told, and when ({@code sd_notify(3)}).
 *
 * <p>In: the environment systemd starts a service with, the status report, how long ago every line showed that it lives. Out: notices and
 * their text. Must not touch: sockets, clocks.
 *
 * <p>The one surprising thing: no timer feeds the watchdog. It is fed when every line has beaten since it was fed last, so one line
 * that is stuck has the whole daemon started again, and the rules stay in the kernel meanwhile.
 */
@NullMarked
package io.dualstackd.agent.notify;

import org.jspecify.annotations.NullMarked;
