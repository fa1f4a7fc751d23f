package io.dualstackd.agent;

import io.dualstackd.agent.cli.Actions;
import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.cli.ExitCode;
import io.dualstackd.agent.config.AgentConfig;
import java.io.PrintStream;
import java.util.Objects;

/** Where the program starts. */
public final class Main {
    private Main() {}

    /** See {@code dualstackd --help}. */
    public static void main(String[] arguments) {
        // THE SEAM: replace NotBuilt by the class that wires the daemon.
        System.exit(CommandLines.execute(new NotBuilt(), version(), System.out, System.err, arguments));
    }

    /** From the jar's manifest; {@code development} when classes are run from a folder. */
    static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "development");
    }

    private static final class NotBuilt implements Actions {
        @Override
        public ExitCode run(AgentConfig config) {
            System.err.println("dualstackd: run is not built yet");
            return ExitCode.FAILED;
        }

        @Override
        public ExitCode cleanup(PrintStream out) {
            System.err.println("dualstackd: cleanup is not built yet");
            return ExitCode.FAILED;
        }

        @Override
        public ExitCode demo(Demo options, PrintStream out) {
            System.err.println("dualstackd: demo is not built yet");
            return ExitCode.FAILED;
        }
    }
}
