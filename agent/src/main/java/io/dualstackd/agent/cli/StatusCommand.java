package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code status}: asks the daemon for its status and prints it. */
final class StatusCommand {
    static final List<String> FORMATS = List.of("text", "json", "yaml");

    private StatusCommand() {}

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        String socket = Options.socket(command);
        String format = command.commandSpec().findOption("--output").getValue();
        if (!FORMATS.contains(format)) {
            throw Options.misuse(command, "--output: \"" + format + "\": must be " + String.join(", ", FORMATS));
        }
        return print(AdminClient.status(Path.of(socket), format), socket, out, err);
    }

    /** Prints the answer of the daemon on the right stream. */
    static ExitCode print(AdminClient.Answer answer, String socket, PrintStream out, PrintStream err) {
        return switch (answer) {
            case AdminClient.Answer.Report(String text, boolean healthy, boolean degraded) -> {
                out.print(text);
                yield healthy ? ExitCode.OK : degraded ? ExitCode.DEGRADED : ExitCode.FAILED;
            }
            case AdminClient.Answer.Refused(String why) -> {
                err.println("dualstackd: the daemon on " + socket + " says: " + why);
                yield ExitCode.FAILED;
            }
            case AdminClient.Answer.Unreachable(String why) -> {
                err.println("dualstackd: no daemon answers on " + socket + " (" + why
                        + "); is 'dualstackd run' running with this --admin-socket, and are you root?");
                yield ExitCode.NOT_RUNNING;
            }
        };
    }
}
