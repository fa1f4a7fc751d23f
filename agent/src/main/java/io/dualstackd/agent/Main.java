package io.dualstackd.agent;

import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.log.io.LogSetup;
import io.dualstackd.agent.log.io.LogToTheEnd;
import io.dualstackd.supervision.io.FatalAction;
import java.io.PrintStream;
import java.util.Objects;

/** The entry point of the program. */
public final class Main {
    private Main() {}

    /** Runs the command line; see {@code dualstackd --help}. */
    public static void main(String[] arguments) {
        // Before any logger is used; naming the class does not initialise it, calling it would.
        System.setProperty("java.util.logging.manager", LogToTheEnd.class.getName());
        FatalAction.ofProcess().install();
        int code = execute(System.out, System.err, arguments);
        LogSetup.flush();
        System.exit(code);
    }

    /**
     * Runs the command line with other streams than those of the process.
     *
     * @return the exit code
     */
    public static int execute(PrintStream out, PrintStream err, String... arguments) {
        return CommandLines.execute(new HostActions(version(), err), version(), out, err, arguments);
    }

    /** The version from the jar's manifest; {@code development} when classes are run from a folder. */
    private static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "development");
    }
}
