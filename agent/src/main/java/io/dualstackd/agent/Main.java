package io.dualstackd.agent;

import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.log.io.LogSetup;
import io.dualstackd.agent.log.io.LogToTheEnd;
import io.dualstackd.supervision.io.FatalAction;
import java.io.PrintStream;
import java.security.Security;
import java.util.Objects;

/** The entry point of the program. */
public final class Main {
    private Main() {}

    /** Runs the command line; see {@code dualstackd --help}. */
    public static void main(String[] arguments) {
        // Before any logger is used; naming the class does not initialise it, calling it would.
        System.setProperty("java.util.logging.manager", LogToTheEnd.class.getName());
        forgetNames();
        FatalAction.ofProcess().install();
        int code = execute(System.out, System.err, arguments);
        LogSetup.flush();
        System.exit(code);
    }

    /**
     * Lets each lookup of a name ask the resolver, before any is made. Java remembers answers for half a minute, and would repeat an incomplete
     * answer of a resolver to a node that asks again because it doubts it. Names are looked up rarely: that of the node periodically, that of the
     * API server for each new connection.
     */
    private static void forgetNames() {
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
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
