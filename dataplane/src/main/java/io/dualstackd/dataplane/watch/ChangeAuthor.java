package io.dualstackd.dataplane.watch;

/**
 * Who changed something.
 *
 * @param process name of the process, at most 15 bytes; empty when not known
 * @param pid its number as the host counts, 0 when not known
 */
public record ChangeAuthor(String process, int pid) {
    /** Nobody in particular. */
    public static final ChangeAuthor UNKNOWN = new ChangeAuthor("", 0);

    /** {@code kube-proxy (4711)}. */
    @Override
    public String toString() {
        return process.isEmpty() ? "unknown" : process + " (" + pid + ")";
    }
}
