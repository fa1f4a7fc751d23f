package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.objects.Listing;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.edit.Diagnostics;
import io.dualstackd.standalone.edit.EditResult;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.edit.TextName;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code apply}, {@code diff} and {@code delete}: ask the daemon to change its manifests, or what would change. */
final class EditCommand {
    private static final String WARNING = "Warning: ";
    private static final String PROBLEM = "\t";
    /** The kinds that manifests have, as completion offers them. */
    static final List<String> KINDS = Stream.of(ObjectKey.Kind.values())
            .map(kind -> kind.toString().toLowerCase(Locale.ROOT))
            .toList();

    private static final String CLIENT = "client";
    private static final List<String> DRY_RUNS = List.of("none", "server", CLIENT);

    /** The end of a line of the daemon about a change that was not made, and what kubectl prints in its place for {@link #CLIENT}. */
    private static final String SERVER_END = " (server dry run)";

    private static final String CLIENT_END = " (dry run)";

    private final ParseResult command;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final Path socket;

    EditCommand(ParseResult command, InputStream in, PrintStream out, PrintStream err) {
        this.command = command;
        this.in = in;
        this.out = out;
        this.err = err;
        this.socket = Path.of(Options.socket(command));
    }

    /** Completes the {@code apply} command. */
    static CommandSpec apply(CommandSpec spec) {
        return ManifestFiles.options(spec, true)
                .addOption(Options.namespace())
                .addOption(dryRun())
                .addOption(Options.validate())
                .addOption(Options.socket());
    }

    /** Completes the {@code diff} command. */
    static CommandSpec diff(CommandSpec spec) {
        return ManifestFiles.options(spec, true)
                .addOption(Options.namespace())
                .addOption(Options.validate())
                .addOption(Options.socket());
    }

    /** Completes the {@code delete} command. */
    static CommandSpec delete(CommandSpec spec) {
        return ManifestFiles.options(spec.addPositional(ObjectArguments.inManifests(false)), false)
                .addOption(Options.namespace())
                .addOption(OptionSpec.builder("--ignore-not-found")
                        .description("Do not fail if an object does not exist.")
                        .build())
                .addOption(dryRun())
                .addOption(Options.socket());
    }

    private static OptionSpec dryRun() {
        return OptionSpec.builder("--dry-run")
                .paramLabel("none|server|client")
                .type(String.class)
                .arity("0..1")
                .fallbackValue(CLIENT)
                .defaultValue("none")
                .completionCandidates(DRY_RUNS)
                .description("Only print what would happen. The daemon validates in any case; without a value: client.")
                .build();
    }

    private String dryRunValue() {
        String value = command.commandSpec().findOption("--dry-run").getValue();
        if (!DRY_RUNS.contains(value)) {
            throw Options.misuse(command, "--dry-run: \"" + value + "\": must be " + String.join(", ", DRY_RUNS));
        }
        return value;
    }

    /** The answer as kubectl words it for the dry run that was asked for. */
    private AdminClient.Answer worded(AdminClient.Answer answer) {
        return answer instanceof AdminClient.Answer.Report(String text, boolean healthy, boolean degraded)
                        && dryRunValue().equals(CLIENT)
                ? new AdminClient.Answer.Report(
                        text.replaceAll("(?m)" + Pattern.quote(SERVER_END) + "$", CLIENT_END), healthy, degraded)
                : answer;
    }

    /** Runs {@code apply}. */
    ExitCode apply() {
        return onTexts("apply " + Options.namespace(command) + " " + mode() + " " + Options.validation(command))
                .map(answer -> print(worded(answer)))
                .orElse(ExitCode.USAGE);
    }

    /** Runs {@code diff}: {@link ExitCode#FAILED} when there are differences, as for {@code kubectl diff}. */
    ExitCode diff() {
        Optional<AdminClient.Answer> answer =
                onTexts("apply " + Options.namespace(command) + " diff " + Options.validation(command));
        if (answer.isEmpty()) {
            return ExitCode.USAGE;
        }
        ExitCode exitCode = print(answer.get());
        if (exitCode != ExitCode.OK) {
            return exitCode == ExitCode.FAILED ? ExitCode.USAGE : exitCode;
        }
        boolean differs = answer.get() instanceof AdminClient.Answer.Report report
                && report.text().lines().anyMatch(line -> !line.startsWith(WARNING));
        return differs ? ExitCode.FAILED : ExitCode.OK;
    }

    /** Runs {@code delete}. */
    ExitCode delete() {
        String may = Options.isSet(command, "--ignore-not-found") ? "may" : "must";
        boolean named = !ObjectArguments.words(command).isEmpty();
        if (!ManifestFiles.given(command).isEmpty()) {
            if (named) {
                throw Options.misuse(command, "either KIND NAME or -f FILE, not both");
            }
            return onTexts("delete-text " + Options.namespace(command) + " " + mode() + " " + may)
                    .map(answer -> print(worded(answer)))
                    .orElse(ExitCode.USAGE);
        }
        if (!named) {
            throw Options.misuse(command, "KIND NAME or -f FILE is missing");
        }
        ObjectArguments arguments = ObjectArguments.of(command);
        String namespace = arguments.namespace().orElseGet(() -> Options.namespace(command));
        String objects = arguments.targets().stream()
                .map(target -> document(target, namespace))
                .collect(Collectors.joining("---\n"));
        return print(worded(AdminClient.send(
                socket,
                "delete-text " + namespace + " " + mode() + " " + may,
                List.of(new NamedText("command", objects)))));
    }

    private String mode() {
        return dryRunValue().equals("none") ? "now" : "dry";
    }

    /** A text that only identifies the object. */
    private String document(Listing.Target target, String namespace) {
        ObjectKey.Kind kind = kind(command, target, "deleted");
        return "{apiVersion: " + kind.apiVersion() + ", kind: " + kind + ", metadata: {name: \""
                + target.name().orElseThrow() + "\"" + (kind.namespaced() ? ", namespace: " + namespace : "") + "}}\n";
    }

    /**
     * The kind of an object that manifests can have.
     *
     * @param done what a command does with it: {@code deleted}
     */
    static ObjectKey.Kind kind(ParseResult command, Listing.Target target, String done) {
        ObjectKey.Kind kind = Stream.of(ObjectKey.Kind.values())
                .filter(known -> known.toString().equals(target.kind().toString()))
                .findFirst()
                .orElseThrow(() -> Options.misuse(
                        command,
                        "\"" + target.kind().plural() + "\": only these can be " + done + ": "
                                + String.join(", ", KINDS)));
        if (target.name().isEmpty()) {
            throw Options.misuse(
                    command, "the name of the " + kind.toString().toLowerCase(Locale.ROOT) + " is missing");
        }
        return kind;
    }

    /** Sends the texts that are given; empty when they cannot be read, which has been printed. */
    private Optional<AdminClient.Answer> onTexts(String words) {
        List<NamedText> texts;
        try {
            texts = ManifestFiles.read(command, in);
        } catch (ManifestFiles.Unreadable e) {
            err.println("dualstackd: " + e.getMessage());
            return Optional.empty();
        }
        for (NamedText text : texts) {
            Optional<String> badName = TextName.refuse(text.name());
            if (badName.isPresent()) {
                err.println("dualstackd: " + badName.get() + "; rename it, or give it on standard input with -f -");
                return Optional.empty();
            }
        }
        return Optional.of(AdminClient.send(socket, words, texts));
    }

    private ExitCode print(AdminClient.Answer answer) {
        return print(answer, socket, out, err);
    }

    /** Prints why a request is refused: problems begin with their place. */
    static void printReasons(String why, PrintStream err) {
        why.lines().forEach(line -> err.println(line.startsWith(PROBLEM) ? line.substring(1) : "dualstackd: " + line));
    }

    /** {@code : 2 errors, 1 warning}; empty when no problem of a text is among the reasons. */
    private static String counted(String why) {
        List<String> problems =
                why.lines().filter(line -> line.startsWith(PROBLEM)).toList();
        long errors =
                problems.stream().filter(line -> line.contains(": error: ")).count();
        return errors == 0 ? "" : ": " + Diagnostics.summary(errors, problems.size() - errors);
    }

    /** Prints what became of a request to change objects. */
    static ExitCode print(AdminClient.Answer answer, Path socket, PrintStream out, PrintStream err) {
        return switch (answer) {
            case AdminClient.Answer.Report(String text, boolean ignored, boolean alsoIgnored) -> {
                text.lines().forEach(line -> {
                    if (line.startsWith(WARNING)) {
                        err.println(line.substring(WARNING.length()));
                    } else {
                        out.println(line);
                    }
                });
                yield ExitCode.OK;
            }
            case AdminClient.Answer.Refused(String why) -> {
                printReasons(why, err);
                boolean inPart = why.lines().anyMatch(line -> line.startsWith(EditResult.Refused.IN_PART));
                if (!inPart) {
                    err.println("dualstackd: refused, nothing was changed" + counted(why));
                }
                yield ExitCode.FAILED;
            }
            case AdminClient.Answer.Unreachable ignored -> StatusCommand.print(answer, socket.toString(), out, err);
        };
    }
}
