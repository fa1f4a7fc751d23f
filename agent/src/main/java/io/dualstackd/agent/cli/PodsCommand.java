package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** {@code pods} and {@code pod}: ask the daemon which pods this node has. */
final class PodsCommand {
    private static final List<String> OF_ALL = List.of("wide", "json", "yaml");
    private static final List<String> OF_ONE = List.of("json", "yaml");
    /** A pod with its namespace: the namespace is a DNS label, the name a DNS subdomain. */
    private static final String FULL_NAME = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?/[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";

    private PodsCommand() {}

    /** Completes the {@code pods} command. */
    static CommandSpec all(CommandSpec spec) {
        return spec.addOption(Options.socket()).addOption(Options.output(OF_ALL, "a table"));
    }

    /** Completes the {@code pod} command. */
    static CommandSpec one(CommandSpec spec) {
        return spec.addPositional(Options.argument(0, "NAMESPACE/NAME", true, "The pod."))
                .addOption(Options.socket())
                .addOption(Options.output(OF_ONE, "a description"));
    }

    static ExitCode executeAll(ParseResult command, PrintStream out, PrintStream err) {
        return request(command, "pods " + Options.output(command, OF_ALL), out, err);
    }

    static ExitCode executeOne(ParseResult command, PrintStream out, PrintStream err) {
        String name = command.commandSpec().positionalParameters().getFirst().getValue();
        if (!name.matches(FULL_NAME)) {
            throw new ParameterException(
                    command.commandSpec().commandLine(), "\"" + name + "\": must be NAMESPACE/NAME of a pod");
        }
        return request(command, "pod " + Options.output(command, OF_ONE) + " " + name, out, err);
    }

    private static ExitCode request(ParseResult command, String question, PrintStream out, PrintStream err) {
        String socket = Options.socket(command);
        return StatusCommand.print(AdminClient.send(Path.of(socket), question), socket, out, err);
    }
}
