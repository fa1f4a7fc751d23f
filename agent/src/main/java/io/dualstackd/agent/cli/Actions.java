package io.dualstackd.agent.cli;

import io.dualstackd.dataplane.model.ProxyMode;
import java.io.PrintStream;
import java.util.Optional;

/**
 * The actions of the commands, called once their arguments are parsed; {@code Main} passes it in.
 *
 * <p>Each method runs on the main thread and returns when the command is done. Logging is set up before. An exception means a bug in
 * dualstackd.
 */
public interface Actions {
    /** Runs the daemon: returns after a clean shutdown, or why it could not start or continue. Rules stay in the kernel. */
    ExitCode run(Launch launch);

    /** Applies the kernel settings, which need more privileges than the daemon itself. Touches no rules. Returns when it is done. */
    ExitCode initialize(Launch launch);

    /**
     * Removes exactly the objects of dualstackd from the kernel, in both families, and prints on {@code out} what they were; refused while
     * a daemon runs.
     */
    ExitCode cleanup(Cleanup options, PrintStream out);

    /**
     * Options of {@code cleanup}.
     *
     * @param adminSocket where a running daemon would answer; empty: this is not checked
     * @param stateDir where former values of kernel settings are saved; empty: nowhere
     */
    record Cleanup(String adminSocket, String stateDir) {}

    /** Demonstrates Services in private network namespaces and prints the result on {@code out}. */
    ExitCode demo(Demo options, PrintStream out);

    /**
     * Options of {@code demo}.
     *
     * @param manifests folder to use instead of the examples that come with the program
     * @param mode which part of the kernel the Services are programmed with
     * @param connections to each address, to show how traffic is distributed
     */
    record Demo(Optional<String> manifests, ProxyMode mode, int connections) {}
}
