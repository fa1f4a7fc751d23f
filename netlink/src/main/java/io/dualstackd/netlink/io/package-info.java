/**
 * Netlink communication with the kernel: {@link io.dualstackd.netlink.io.NlSocket} carries bytes, {@link
 * io.dualstackd.netlink.io.NetlinkConnection} sends requests and waits for the answer, {@link io.dualstackd.netlink.io.Notification}
 * tells what a subscription received.
 *
 * <p>In: messages written with {@link io.dualstackd.netlink.wire.NlWriter}. Out: messages, or a checked {@link
 * io.dualstackd.netlink.io.NetlinkException} whose subclasses are the closed list of errors. Must not touch: the meaning of tables and
 * chains, threads (every call works on the caller's), loggers.
 *
 * <p>The one surprising thing: a full receive buffer is not an error of the socket but a report of the kernel that messages were lost. A
 * subscription returns it as {@link io.dualstackd.netlink.io.Notification.Lost}; after it, list again.
 */
@NullMarked
package io.dualstackd.netlink.io;

import org.jspecify.annotations.NullMarked;
