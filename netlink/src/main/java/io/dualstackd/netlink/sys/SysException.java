package io.dualstackd.netlink.sys;

import java.io.IOException;

/** Thrown when a system call fails. The message names the call, its subject, and the error number. */
public final class SysException extends IOException {
    private final Errno errno;

    public SysException(String operation, Errno errno) {
        super(operation + ": " + errno);
        this.errno = errno;
    }

    public Errno errno() {
        return errno;
    }
}
