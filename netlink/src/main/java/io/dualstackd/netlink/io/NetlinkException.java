package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.wire.DecodeException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;

/**
 * The errors of communication with the kernel: the closed list of its subclasses. Every message names the operation.
 *
 * <p>After {@link Refused} and {@link DumpInterrupted} the connection can be used further; after any other it may hold a partial answer and
 * should be closed.
 */
public abstract sealed class NetlinkException extends IOException {
    private NetlinkException(String operation, String problem) {
        super(operation + ": " + problem);
    }

    /** The kernel refused the request. Nothing of it has been done. */
    public static final class Refused extends NetlinkException {
        private final transient Refusal refusal;

        public Refused(String operation, Refusal refusal) {
            super(operation, refusal.toString());
            this.refusal = refusal;
        }

        public Refusal refusal() {
            return refusal;
        }

        public Errno errno() {
            return refusal.errno();
        }
    }

    /** The answer was lost in a full receive buffer: whether the request was carried out is unknown. */
    public static final class AnswerLost extends NetlinkException {
        public AnswerLost(String operation) {
            super(operation, "the kernel's answer was lost in a full receive buffer, so the result is unknown");
        }
    }

    /** No answer in time: whether the request was carried out is unknown. */
    public static final class NoAnswer extends NetlinkException {
        public NoAnswer(String operation, Duration waited) {
            super(operation, "no answer from the kernel in " + waited.toMillis() + " ms, so the result is unknown");
        }
    }

    /** A list changed during every attempt to read it. */
    public static final class DumpInterrupted extends NetlinkException {
        public DumpInterrupted(String operation, int attempts) {
            super(operation, "changed while being read, " + attempts + " times in a row");
        }
    }

    /** The kernel's answer does not match the attribute declarations. */
    public static final class Malformed extends NetlinkException {
        public Malformed(String operation, DecodeException reason) {
            super(operation, "cannot read the kernel's answer: " + Objects.toString(reason.getMessage()));
            initCause(reason);
        }
    }

    /** The transport was closed by this process. */
    public static final class Closed extends NetlinkException {
        public Closed(String operation) {
            super(operation, "the socket is closed");
        }
    }

    /** A system call on the socket failed. */
    public static final class Failed extends NetlinkException {
        private final transient Errno errno;

        public Failed(String operation, SysException reason) {
            super(operation, Objects.toString(reason.getMessage()));
            this.errno = reason.errno();
            initCause(reason);
        }

        public Errno errno() {
            return errno;
        }
    }
}
