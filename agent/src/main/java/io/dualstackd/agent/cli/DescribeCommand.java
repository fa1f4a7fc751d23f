package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.objects.Listing;
import io.dualstackd.admin.objects.ObjectKind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code describe}: asks the daemon all that it knows of Services. */
final class DescribeCommand {
    private DescribeCommand() {}

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(ObjectArguments.parameter(true, List.of("service")))
                .addOption(Options.namespace())
                .addOption(Options.socket());
    }

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        ObjectArguments arguments = ObjectArguments.of(command);
        String namespace = arguments.namespace().orElseGet(() -> Options.namespace(command));
        for (Listing.Target target : arguments.targets()) {
            if (target.kind() != ObjectKind.SERVICES) {
                throw Options.misuse(
                        command, "only a service can be described; 'dualstackd get KIND -o yaml' shows the others");
            }
            if (target.name().isEmpty()) {
                throw Options.misuse(command, "the name of the service is missing");
            }
        }
        String socket = Options.socket(command);
        ExitCode worst = ExitCode.OK;
        boolean first = true;
        for (Listing.Target target : arguments.targets()) {
            if (!first) {
                out.println();
            }
            first = false;
            AdminClient.Answer answer = AdminClient.ask(
                    Path.of(socket),
                    "describe service " + namespace + "/" + target.name().orElse(""));
            ExitCode exitCode = print(answer, socket, out, err);
            worst = exitCode.compareTo(worst) > 0 ? exitCode : worst;
        }
        return worst;
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
