package io.dualstackd.agent.cli;

import io.dualstackd.agent.admin.io.AdminClient;
import io.dualstackd.agent.admin.objects.ObjectKind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code get} and {@code describe}: ask the daemon which objects are in force. */
final class ObjectsCommand {
    private static final List<String> FORMATS = List.of("wide", "name", "json", "yaml");

    private ObjectsCommand() {}

    /** Completes the {@code get} command. */
    static CommandSpec get(CommandSpec spec) {
        return spec.addPositional(Options.argument(
                        0,
                        "KIND",
                        true,
                        String.join(", ", ObjectKind.plurals()) + "; singular and short names (svc) are known, too.",
                        ObjectKind.allNames()))
                .addPositional(Options.argument(1, "NAME", false, "Only this one; without it all."))
                .addOption(Options.namespace())
                .addOption(OptionSpec.builder("-A", "--all-namespaces")
                        .description("Of all namespaces.")
                        .build())
                .addOption(Options.output(FORMATS, "a table"))
                .addOption(Options.socket());
    }

    /** Completes the {@code describe} command. */
    static CommandSpec describe(CommandSpec spec) {
        return spec.addPositional(Options.argument(
                        0, "KIND", true, "service is the one that can be described.", List.of("service")))
                .addPositional(Options.argument(1, "[NS/]NAME", true, "Which one."))
                .addOption(Options.namespace())
                .addOption(Options.socket());
    }

    static ExitCode executeGet(ParseResult command, PrintStream out, PrintStream err) {
        ObjectKind kind = kind(command);
        String format = Options.output(command, FORMATS);
        String name = Options.given(command, 1);
        boolean all = command.hasMatchedOption("--all-namespaces");
        String namespace = Options.namespace(command);
        if (!name.isEmpty()) {
            requireName(command, name);
            if (all && kind.namespaced()) {
                throw Options.misuse(command, "a name needs a namespace: use -n NS instead of -A");
            }
        }
        String question = "get " + kind.plural() + " " + format + " " + (all ? "*" : namespace)
                + (name.isEmpty() ? "" : " " + name);
        String socket = Options.socket(command);
        AdminClient.Answer answer = AdminClient.ask(Path.of(socket), question);
        if (answer instanceof AdminClient.Answer.Report report && report.text().isEmpty()) {
            err.println(
                    "No resources found" + (all || !kind.namespaced() ? "" : " in " + namespace + " namespace") + ".");
        }
        return print(answer, socket, out, err);
    }

    /** Prints the answer. A missing object is not an error of the daemon. */
    private static ExitCode print(AdminClient.Answer answer, String socket, PrintStream out, PrintStream err) {
        if (answer instanceof AdminClient.Answer.Refused(String why)) {
            err.println("dualstackd: " + why);
            return ExitCode.FAILED;
        }
        return StatusCommand.print(answer, socket, out, err);
    }

    static ExitCode executeDescribe(ParseResult command, PrintStream out, PrintStream err) {
        if (kind(command) != ObjectKind.SERVICES) {
            throw Options.misuse(
                    command, "only a service can be described; 'dualstackd get KIND -o yaml' shows the others");
        }
        String name = Options.given(command, 1);
        String full = name.contains("/") ? name : Options.namespace(command) + "/" + name;
        if (!full.matches(Options.NAMESPACE + "/" + Options.NAME)) {
            throw Options.misuse(command, "\"" + full + "\": must be NAMESPACE/NAME of a Service");
        }
        String socket = Options.socket(command);
        return print(AdminClient.ask(Path.of(socket), "describe service " + full), socket, out, err);
    }

    private static ObjectKind kind(ParseResult command) {
        String given = Options.given(command, 0);
        Optional<ObjectKind> kind = ObjectKind.named(given);
        return kind.orElseThrow(() -> Options.misuse(
                command, "\"" + given + "\": must be one of " + String.join(", ", ObjectKind.plurals())));
    }

    static void requireName(ParseResult command, String name) {
        if (!name.matches(Options.NAME)) {
            throw Options.misuse(command, "\"" + name + "\": is no name of an object");
        }
    }
}
