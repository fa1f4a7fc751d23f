package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.Errno;

/** A kind of fault that {@link FaultyTransport} injects. */
public sealed interface Fault {
    /** What was to be received is dropped, as from a full receive buffer (ENOBUFS). */
    record Overrun() implements Fault {}

    /** What was to be received is dropped, without an error. */
    record Silence() implements Fault {}

    /** The last message of what is received ends in the middle. */
    record CutOff() implements Fault {}

    /** What is received claims that the list changed while it was read. */
    record Interrupted() implements Fault {}

    /** The receive call fails, for example with EINTR or EBADF. */
    record Failing(Errno errno) implements Fault {}

    /** The next thing sent does not reach the kernel; its first message is answered with an error. */
    record Refusing(Errno errno) implements Fault {}
}
