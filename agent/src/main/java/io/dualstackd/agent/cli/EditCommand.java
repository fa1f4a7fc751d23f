package io.dualstackd.agent.cli;

import io.dualstackd.agent.admin.io.AdminClient;
import io.dualstackd.agent.admin.objects.ObjectKind;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.edit.TextName;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code apply} and {@code delete}: ask the daemon to change its manifests. */
final class EditCommand {
    private static final String STDIN = "-";
    private static final String WARNING = "Warning: ";
    private static final int MAX_TEXT = 4 * 1024 * 1024;

    private EditCommand() {}

    /** Completes the {@code apply} command. */
    static CommandSpec apply(CommandSpec spec) {
        return spec.addOption(file(true))
                .addOption(Options.namespace())
                .addOption(dryRun())
                .addOption(Options.socket());
    }

    /** Completes the {@code delete} command. */
    static CommandSpec delete(CommandSpec spec) {
        return spec.addPositional(Options.argument(
                        0,
                        "KIND",
                        false,
                        "service (svc), endpointslice, servicecidr, ipaddress or node.",
                        ObjectKind.allNames()))
                .addPositional(Options.argument(1, "NAME", false, "Which one."))
                .addOption(file(false))
                .addOption(Options.namespace())
                .addOption(OptionSpec.builder("--ignore-not-found")
                        .description("It is fine if it is gone already.")
                        .build())
                .addOption(dryRun())
                .addOption(Options.socket());
    }

    private static OptionSpec file(boolean required) {
        return OptionSpec.builder("-f", "--filename")
                .paramLabel("FILE")
                .type(String.class)
                .required(required)
                .description("The objects, in YAML or JSON, at most 4 MiB; - is standard input.")
                .build();
    }

    private static OptionSpec dryRun() {
        return OptionSpec.builder("--dry-run")
                .description("Only say what would happen.")
                .build();
    }

    static ExitCode executeApply(ParseResult command, InputStream in, PrintStream out, PrintStream err) {
        String file = command.matchedOptionValue("--filename", "");
        return send(command, file, "apply " + Options.namespace(command) + " " + mode(command), in, out, err);
    }

    static ExitCode executeDelete(ParseResult command, InputStream in, PrintStream out, PrintStream err) {
        String file = command.matchedOptionValue("--filename", "");
        String kind = Options.given(command, 0);
        String name = Options.given(command, 1);
        String must = command.hasMatchedOption("--ignore-not-found") ? "may" : "must";
        String namespace = Options.namespace(command);
        if (!file.isEmpty()) {
            if (!kind.isEmpty()) {
                throw Options.misuse(command, "either KIND NAME or -f FILE, not both");
            }
            return send(command, file, "delete-text " + namespace + " " + mode(command) + " " + must, in, out, err);
        }
        if (name.isEmpty()) {
            throw Options.misuse(command, "KIND NAME or -f FILE is missing");
        }
        ObjectsCommand.requireName(command, name);
        String question =
                "delete " + kind(command, kind) + " " + namespace + " " + name + " " + mode(command) + " " + must;
        String socket = Options.socket(command);
        return print(AdminClient.ask(Path.of(socket), question), socket, out, err);
    }

    private static String mode(ParseResult command) {
        return command.hasMatchedOption("--dry-run") ? "dry" : "now";
    }

    private static ObjectKey.Kind kind(ParseResult command, String given) {
        String label = ObjectKind.named(given).map(ObjectKind::toString).orElse(given);
        return Stream.of(ObjectKey.Kind.values())
                .filter(kind -> kind.toString().equalsIgnoreCase(label) || (kind + "s").equalsIgnoreCase(label))
                .findFirst()
                .orElseThrow(() -> Options.misuse(
                        command,
                        "\"" + given + "\": must be one of "
                                + Stream.of(ObjectKey.Kind.values())
                                        .map(kind -> kind.toString().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(", "))));
    }

    private static ExitCode send(
            ParseResult command, String file, String words, InputStream in, PrintStream out, PrintStream err) {
        Optional<String> badName = TextName.refuse(label(file));
        if (badName.isPresent()) {
            err.println("dualstackd: " + badName.get() + "; rename it, or give it on standard input with -f -");
            return ExitCode.USAGE;
        }
        Optional<byte[]> text = read(file, in, err);
        if (text.isEmpty()) {
            return ExitCode.USAGE;
        }
        String socket = Options.socket(command);
        return print(AdminClient.tell(Path.of(socket), words + " " + label(file), text.get()), socket, out, err);
    }

    /** The name of the text in messages of the daemon; one word. */
    private static String label(String file) {
        return file.equals(STDIN)
                ? "stdin"
                : String.valueOf(Path.of(file).getFileName()).replaceAll("[^A-Za-z0-9._:-]", "_");
    }

    private static Optional<byte[]> read(String file, InputStream in, PrintStream err) {
        try {
            if (file.equals(STDIN)) {
                return Optional.of(in.readNBytes(MAX_TEXT + 1));
            }
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                err.println("dualstackd: " + file + " is a folder; apply its files one by one");
                return Optional.empty();
            }
            try (InputStream from = Files.newInputStream(path)) {
                return Optional.of(from.readNBytes(MAX_TEXT + 1));
            }
        } catch (NoSuchFileException e) {
            err.println("dualstackd: " + file + " does not exist");
        } catch (IOException e) {
            err.println("dualstackd: " + file + " cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private static ExitCode print(AdminClient.Answer answer, String socket, PrintStream out, PrintStream err) {
        return switch (answer) {
            case AdminClient.Answer.Report(String text, boolean ignored, boolean alsoIgnored) -> {
                List<String> lines = text.lines().toList();
                lines.forEach(line -> (line.startsWith(WARNING) ? err : out).println(line));
                yield ExitCode.OK;
            }
            case AdminClient.Answer.Refused(String why) -> {
                why.lines().forEach(line -> err.println("dualstackd: " + line));
                err.println("dualstackd: refused, nothing was changed");
                yield ExitCode.FAILED;
            }
            case AdminClient.Answer.Unreachable ignored -> StatusCommand.print(answer, socket, out, err);
        };
    }
}
