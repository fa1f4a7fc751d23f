package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.objects.ObjectKind;
import java.io.PrintStream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code describe}: prints everything the daemon knows about objects. */
final class DescribeCommand {
    private DescribeCommand() {}

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(ObjectArguments.parameter(true, ObjectKind.allNames()))
                .addOption(Options.namespace())
                .addOption(Options.allNamespaces())
                .addOption(Options.selector())
                .addOption(Options.socket());
    }

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        ObjectArguments arguments = ObjectArguments.of(command);
        arguments.targets().stream()
                .filter(target -> target.kind() == ObjectKind.EVENTS)
                .findFirst()
                .ifPresent(events -> {
                    throw Options.misuse(
                            command,
                            "events are described with their objects; 'dualstackd get events -o wide' lists them");
                });
        GetCommand get = new GetCommand(command, arguments, "text", out, err);
        return get.print(get.describe());
    }

    /** Prints the answer. A missing object is not an error of the daemon. */
    static ExitCode print(AdminClient.Answer answer, String socket, PrintStream out, PrintStream err) {
        if (answer instanceof AdminClient.Answer.Refused(String why)) {
            err.println("dualstackd: " + why);
            return ExitCode.FAILED;
        }
        return StatusCommand.print(answer, socket, out, err);
    }
}
