package io.dualstackd.netlink.sys;

import java.io.IOException;

/** A system call failed. The message names the call, what it was about, and the error number. */
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
