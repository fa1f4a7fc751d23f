package io.dualstackd.agent.cli;

import io.dualstackd.dataplane.model.ProxyMode;
import java.io.PrintStream;
import java.util.Optional;

/**
 * What the commands do once their arguments are understood; {@code Main} passes it in.
 *
 * <p>Each method runs on the main thread and returns when the command is over. Logging is set up before. An exception means our own
 * mistake.
 */
public interface Actions {
    /** The daemon: returns after a clean shutdown, or why it could not start or go on. Rules stay in the kernel. */
    ExitCode run(Launch launch);

    /** What needs more rights than the daemon itself: the kernel settings. Touches no rules. Returns when it is done. */
    ExitCode initialize(Launch launch);

    /** Removes exactly what is ours from the kernel, in both families, and tells on {@code out} what it was; not while a daemon runs. */
    ExitCode cleanup(Cleanup options, PrintStream out);

    /**
     * Options of {@code cleanup}.
     *
     * @param adminSocket where a daemon would answer; empty: it is not asked
     * @param stateDir where former values of kernel settings are remembered; empty: nowhere
     */
    record Cleanup(String adminSocket, String stateDir) {}

    /** Shows everything working in private network namespaces and prints the result on {@code out}. */
    ExitCode demo(Demo options, PrintStream out);

    /**
     * Options of {@code demo}.
     *
     * @param manifests folder to use instead of the examples that come with the program
     * @param mode by which part of the kernel the Services are programmed
     * @param connections to each address, to show how traffic spreads
     */
    record Demo(Optional<String> manifests, ProxyMode mode, int connections) {}
}
