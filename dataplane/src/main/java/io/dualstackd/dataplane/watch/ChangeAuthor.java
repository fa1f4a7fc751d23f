package io.dualstackd.dataplane.watch;

/**
 * The process that made a change.
 *
 * @param process name of the process, at most 15 bytes; empty when not known
 * @param pid its process id in the host's PID namespace, 0 when not known
 */
public record ChangeAuthor(String process, int pid) {
    /** An unknown author. */
    public static final ChangeAuthor UNKNOWN = new ChangeAuthor("", 0);

    /** {@code kube-proxy (4711)}. */
    @Override
    public String toString() {
        return process.isEmpty() ? "unknown" : process + " (" + pid + ")";
    }
}
