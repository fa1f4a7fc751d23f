package io.dualstackd.agent.cli;

import io.dualstackd.agent.admin.io.AdminClient;
import io.dualstackd.agent.explain.ExplainRequest;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code explain}: asks the daemon what happens to a packet. */
final class ExplainCommand {
    private static final List<String> FORMATS = List.of("json", "yaml");

    private ExplainCommand() {}

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(Options.argument(
                        0,
                        "SOURCE",
                        true,
                        "Address the packet comes from; one of the node's own means the node itself."))
                .addPositional(Options.argument(
                        1,
                        "DESTINATION:PORT[/PROTOCOL]",
                        true,
                        "Where it is sent to: 10.96.0.10:53/udp, [fd00::a]:443; tcp, udp or sctp, without it tcp."))
                .addOption(OptionSpec.builder("--in")
                        .paramLabel("INTERFACE")
                        .type(String.class)
                        .defaultValue("")
                        .description("What it comes in through, where pods are known by their interfaces.")
                        .build())
                .addOption(Options.output(FORMATS, "lines for people"))
                .addOption(Options.socket());
    }

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        String format = Options.output(command, FORMATS);
        String in = command.commandSpec().findOption("--in").getValue();
        ExplainRequest explainRequest;
        try {
            explainRequest = ExplainRequest.parse(Options.given(command, 0), Options.given(command, 1), in);
        } catch (IllegalArgumentException e) {
            throw Options.misuse(command, String.valueOf(e.getMessage()));
        }
        if (in.chars().anyMatch(Character::isWhitespace) || in.length() > 15) {
            throw Options.misuse(
                    command, "--in: \"" + in + "\": must be an interface name: at most 15 bytes, no blanks");
        }
        String socket = Options.socket(command);
        String question = "explain " + format + " " + String.join(" ", explainRequest.words());
        return StatusCommand.print(AdminClient.ask(Path.of(socket), question), socket, out, err);
    }
}
