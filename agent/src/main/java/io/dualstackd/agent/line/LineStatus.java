package io.dualstackd.agent.line;

import io.dualstackd.dataplane.diff.PassReport;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How one family's line is doing.
 *
 * @param state where it stands now
 * @param lastChange the last pass that changed the kernel, with its time and duration
 * @param lastPass what the last pass reported
 * @param failures passes in a row that did not bring the kernel to what is wanted
 * @param lastError why the last pass failed; empty while all is well
 */
public record LineStatus(
        IpFamily family,
        State state,
        Optional<Done> lastChange,
        Optional<PassReport> lastPass,
        int failures,
        String lastError) {

    /** Where a line stands. */
    public enum State {
        /** Not every source has said "this is all there is" yet; the kernel is not touched. */
        WAITING,
        /** The kernel holds what is wanted. */
        IN_FORCE,
        /** The last pass failed; it is tried again. */
        FAILING,
        /** The line has ended. */
        STOPPED
    }

    /** A pass that changed the kernel. */
    public record Done(Instant at, Duration took, PassReport report) {}

    public static LineStatus initial(IpFamily family) {
        return new LineStatus(family, State.WAITING, Optional.empty(), Optional.empty(), 0, "");
    }
}
