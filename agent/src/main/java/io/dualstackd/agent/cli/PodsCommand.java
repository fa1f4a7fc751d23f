package io.dualstackd.agent.cli;

import io.dualstackd.agent.admin.io.AdminClient;
import io.dualstackd.agent.config.Key;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** {@code pods} and {@code pod}: ask the daemon which pods this node has. */
final class PodsCommand {
    private static final List<String> OF_ALL = List.of("wide", "json", "yaml");
    private static final List<String> OF_ONE = List.of("json", "yaml");
    /** A namespace is a DNS label, a pod's name a DNS subdomain. */
    private static final String FULL_NAME = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?/[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";

    private PodsCommand() {}

    /** Completes the command that lists all. */
    static CommandSpec all(CommandSpec spec) {
        return spec.addOption(socket()).addOption(output(OF_ALL, "a table"));
    }

    /** Completes the command that describes one. */
    static CommandSpec one(CommandSpec spec) {
        return spec.addPositional(PositionalParamSpec.builder()
                        .index("0")
                        .arity("1")
                        .required(true)
                        .paramLabel("NAMESPACE/NAME")
                        .type(String.class)
                        .description("The pod.")
                        .build())
                .addOption(socket())
                .addOption(output(OF_ONE, "a description"));
    }

    private static OptionSpec socket() {
        return OptionSpec.builder(Key.ADMIN_SOCKET.flag())
                .paramLabel("PATH")
                .type(String.class)
                .defaultValue(Key.ADMIN_SOCKET.fallback())
                .description("Where the daemon listens. Default: ${DEFAULT-VALUE}.")
                .build();
    }

    private static OptionSpec output(List<String> formats, String otherwise) {
        return OptionSpec.builder("-o", "--output")
                .paramLabel("FORMAT")
                .type(String.class)
                .defaultValue("text")
                .completionCandidates(formats)
                .description(String.join(", ", formats) + "; without it " + otherwise + ".")
                .build();
    }

    static ExitCode executeAll(ParseResult command, PrintStream out, PrintStream err) {
        return ask(command, "pods " + format(command, OF_ALL), out, err);
    }

    static ExitCode executeOne(ParseResult command, PrintStream out, PrintStream err) {
        String name = command.commandSpec().positionalParameters().getFirst().getValue();
        if (!name.matches(FULL_NAME)) {
            throw new ParameterException(
                    command.commandSpec().commandLine(), "\"" + name + "\": must be NAMESPACE/NAME of a pod");
        }
        return ask(command, "pod " + format(command, OF_ONE) + " " + name, out, err);
    }

    private static String format(ParseResult command, List<String> known) {
        String format = command.commandSpec().findOption("--output").getValue();
        if (!format.equals("text") && !known.contains(format)) {
            throw new ParameterException(
                    command.commandSpec().commandLine(),
                    "--output: \"" + format + "\": must be " + String.join(", ", known));
        }
        return format;
    }

    private static ExitCode ask(ParseResult command, String question, PrintStream out, PrintStream err) {
        String socket =
                command.commandSpec().findOption(Key.ADMIN_SOCKET.flag()).getValue();
        return StatusCommand.print(AdminClient.ask(Path.of(socket), question), socket, out, err);
    }
}
