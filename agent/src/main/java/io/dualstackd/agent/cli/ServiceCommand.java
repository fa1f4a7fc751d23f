package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code service list}: asks the daemon for every address and port of Services. */
final class ServiceCommand {
    private static final List<String> FORMATS = List.of("json", "yaml");

    private ServiceCommand() {}

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(Options.argument(0, "list", true, "The only action.", List.of("list")))
                .addOption(OptionSpec.builder("-n", "--namespace")
                        .paramLabel("NS")
                        .type(String.class)
                        .description("Only this namespace. Default: all.")
                        .build())
                .addOption(OptionSpec.builder("-A", "--all-namespaces")
                        .description("All namespaces, as by default.")
                        .build())
                .addOption(Options.output(FORMATS, "a table"))
                .addOption(Options.socket());
    }

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        if (!Options.given(command, 0).equals("list")) {
            throw Options.misuse(command, "\"" + Options.given(command, 0) + "\": must be list");
        }
        String namespace = Options.oneNamespace(command).orElse("*");
        String socket = Options.socket(command);
        AdminClient.Answer answer =
                AdminClient.send(Path.of(socket), "service-list " + Options.output(command, FORMATS) + " " + namespace);
        if (answer instanceof AdminClient.Answer.Report report && report.text().isEmpty()) {
            err.println("No Services found" + (namespace.equals("*") ? "" : " in " + namespace + " namespace") + ".");
        }
        return StatusCommand.print(answer, socket, out, err);
    }
}
