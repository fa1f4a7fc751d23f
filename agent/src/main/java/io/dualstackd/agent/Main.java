package io.dualstackd.agent;

import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.log.io.LogToTheEnd;
import io.dualstackd.supervision.io.FatalAction;
import java.util.Objects;

/** The entry point of the program. */
public final class Main {
    private Main() {}

    /** Runs the command line; see {@code dualstackd --help}. */
    public static void main(String[] arguments) {
        // Before any logger is used; naming the class does not initialise it, calling it would.
        System.setProperty("java.util.logging.manager", LogToTheEnd.class.getName());
        FatalAction.ofProcess().install();
        System.exit(CommandLines.execute(
                new HostActions(version(), System.err), version(), System.out, System.err, arguments));
    }

    /** The version from the jar's manifest; {@code development} when classes are run from a folder. */
    static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "development");
    }
}
