package io.dualstackd.agent;

import io.dualstackd.agent.cli.CommandLines;
import java.util.Objects;

/** Where the program starts. */
public final class Main {
    private Main() {}

    /** See {@code dualstackd --help}. */
    public static void main(String[] arguments) {
        System.exit(CommandLines.execute(
                new HostActions(version(), System.err), version(), System.out, System.err, arguments));
    }

    /** From the jar's manifest; {@code development} when classes are run from a folder. */
    static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "development");
    }
}
