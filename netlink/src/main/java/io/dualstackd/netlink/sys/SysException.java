package io.dualstackd.netlink.sys;

import java.io.IOException;

/** Thrown when a system call fails. The message names the call, its subject, and the error number. */
public final class SysException extends IOException {
    private final String operation;
    private final Errno errno;

    public SysException(String operation, Errno errno) {
        super(operation + ": " + errno);
        this.operation = operation;
        this.errno = errno;
    }

    /** The call and its subject: {@code open /proc/1/ns/net}. */
    public String operation() {
        return operation;
    }

    public Errno errno() {
        return errno;
    }
}
