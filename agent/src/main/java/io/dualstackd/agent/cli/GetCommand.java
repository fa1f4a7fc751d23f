package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.objects.LabelSelector;
import io.dualstackd.admin.objects.Listing;
import io.dualstackd.admin.objects.ObjectKind;
import io.dualstackd.kubeapi.tree.JsonTree;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code get}: asks the daemon which objects are in force. */
final class GetCommand {
    private static final String JSONPATH = "jsonpath=";
    private static final List<String> FORMATS = List.of("wide", "name", "json", "yaml");
    /** The prefix of lines about objects that do not exist. */
    private static final String MISSING = "Error: ";
    /** The polling interval of {@code --watch}. */
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final ParseResult command;
    private final PrintStream out;
    private final PrintStream err;
    private final ObjectArguments arguments;
    private final String format;
    private final String socket;
    private final boolean everywhere;
    private final String namespace;

    /** @param arguments the objects that the command names */
    GetCommand(ParseResult command, ObjectArguments arguments, String format, PrintStream out, PrintStream err) {
        this.command = command;
        this.out = out;
        this.err = err;
        this.arguments = arguments;
        this.format = format;
        this.socket = Options.socket(command);
        this.everywhere = Options.isSet(command, "--all-namespaces");
        this.namespace = arguments.namespace().orElseGet(() -> Options.namespace(command));
    }

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(ObjectArguments.parameter(true, ObjectKind.allNames()))
                .addOption(Options.namespace())
                .addOption(Options.allNamespaces())
                .addOption(Options.selector())
                .addOption(OptionSpec.builder("-w", "--watch")
                        .description("Keep running and print each object that changes, until interrupted.")
                        .build())
                .addOption(OptionSpec.builder("--no-headers")
                        .description("Print no headings above tables.")
                        .build())
                .addOption(OptionSpec.builder("-o", "--output")
                        .paramLabel("FORMAT")
                        .type(String.class)
                        .defaultValue("text")
                        .completionCandidates(FORMATS)
                        .description("wide, name, json, yaml or jsonpath=TEMPLATE; without it a table.")
                        .build())
                .addOption(Options.socket());
    }

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        String format = command.commandSpec().findOption("--output").getValue();
        return new GetCommand(command, ObjectArguments.of(command), format, out, err).execute();
    }

    /** Refuses arguments that do not go together. */
    private void check() {
        boolean named = arguments.targets().stream()
                .anyMatch(target -> target.name().isPresent() && target.kind().namespaced());
        if (everywhere && named) {
            throw Options.misuse(command, "a name needs a namespace: use -n NS instead of -A");
        }
        try {
            LabelSelector.parse(command.commandSpec().findOption("--selector").getValue());
        } catch (IllegalArgumentException e) {
            throw Options.misuse(command, "--selector: " + e.getMessage());
        }
    }

    private ExitCode execute() {
        check();
        if (Options.isSet(command, "--watch")) {
            if (!isTable()) {
                throw Options.misuse(command, "--watch prints a table; leave --output out, or give wide");
            }
            return watch();
        }
        if (format.startsWith(JSONPATH)) {
            return jsonPath();
        }
        if (!format.equals("text") && !FORMATS.contains(format)) {
            throw Options.misuse(
                    command,
                    "--output: \"" + format + "\": must be " + String.join(", ", FORMATS) + " or jsonpath=TEMPLATE");
        }
        return print(request(format));
    }

    private AdminClient.Answer request(String wanted) {
        return AdminClient.send(Path.of(socket), "get " + arguments.request() + " " + wanted + " " + selection());
    }

    /** Asks for descriptions of the objects. */
    AdminClient.Answer describe() {
        check();
        return AdminClient.send(Path.of(socket), "describe " + arguments.request() + " " + selection());
    }

    /** The namespace and the labels, as in a request. */
    private String selection() {
        String selector = command.commandSpec().findOption("--selector").getValue();
        return (everywhere ? "*" : namespace) + " "
                + (selector.isBlank() ? "-" : selector.strip().replaceAll("\\s+", "+"));
    }

    ExitCode print(AdminClient.Answer answer) {
        if (!(answer instanceof AdminClient.Answer.Report(String text, boolean complete, boolean ignored))) {
            return DescribeCommand.print(answer, socket, out, err);
        }
        String found = found(text);
        out.print(isTable() && Options.isSet(command, "--no-headers") ? withoutHeadings(found) : found);
        printMissing(text);
        if (text.isEmpty()) {
            err.println("No resources found" + where() + ".");
        }
        return complete ? ExitCode.OK : ExitCode.FAILED;
    }

    private static String found(String text) {
        return text.lines().filter(line -> !line.startsWith(MISSING)).collect(lines());
    }

    private void printMissing(String text) {
        text.lines()
                .filter(line -> line.startsWith(MISSING))
                .forEach(line -> err.println("dualstackd: " + line.substring(MISSING.length())));
    }

    private static java.util.stream.Collector<CharSequence, ?, String> lines() {
        return Collectors.collectingAndThen(Collectors.joining("\n"), text -> text.isEmpty() ? "" : text + "\n");
    }

    private boolean isTable() {
        return format.equals("text") || format.equals("wide");
    }

    private String where() {
        boolean namespaced =
                arguments.targets().stream().map(Listing.Target::kind).allMatch(ObjectKind::namespaced);
        return everywhere || !namespaced ? "" : " in " + namespace + " namespace";
    }

    /** The tables without the first line of each; an empty line lies between two tables. */
    private static String withoutHeadings(String tables) {
        StringBuilder rows = new StringBuilder();
        boolean heading = true;
        for (String line : tables.lines().toList()) {
            if (!heading && !line.isEmpty()) {
                rows.append(line).append('\n');
            }
            heading = line.isEmpty();
        }
        return rows.toString();
    }

    private ExitCode jsonPath() {
        JsonPathTemplate template;
        try {
            template = JsonPathTemplate.parse(format.substring(JSONPATH.length()));
        } catch (IllegalArgumentException e) {
            throw Options.misuse(command, "--output: " + e.getMessage());
        }
        AdminClient.Answer answer = request("json");
        if (!(answer instanceof AdminClient.Answer.Report(String text, boolean complete, boolean ignored))) {
            return DescribeCommand.print(answer, socket, out, err);
        }
        String found = found(text);
        try {
            // Of a single object that is missing there is no JSON.
            if (!found.isEmpty()) {
                out.print(template.print(JsonTree.read(found.getBytes(StandardCharsets.UTF_8), 0)));
            }
        } catch (IOException e) {
            err.println("dualstackd: the answer of the daemon is not JSON: " + e.getMessage());
            return ExitCode.FAILED;
        }
        printMissing(text);
        return complete ? ExitCode.OK : ExitCode.FAILED;
    }

    private ExitCode watch() {
        Map<String, Shown> known = Map.of();
        boolean first = true;
        while (true) {
            AdminClient.Answer answer = request(format.equals("wide") ? "watch_wide" : "watch");
            if (!(answer instanceof AdminClient.Answer.Report(String text, boolean complete, boolean ignored))) {
                return DescribeCommand.print(answer, socket, out, err);
            }
            if (first && !complete) {
                // As with kubectl. One that goes later is printed, and waited for.
                printMissing(text);
                return ExitCode.FAILED;
            }
            known = changes(known, text, first && !Options.isSet(command, "--no-headers"));
            first = false;
            if (out.checkError()) {
                // The reader has closed the pipe.
                return ExitCode.OK;
            }
            try {
                Thread.sleep(PERIOD);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return ExitCode.OK;
            }
        }
    }

    /** A row that was printed, and the digest of its object. */
    private record Shown(String digest, String row) {}

    /**
     * Prints the rows of objects that are new or have changed, and once more those of objects that are gone, as kubectl does.
     *
     * @param before what was known by object
     * @return what is known now
     */
    private Map<String, Shown> changes(Map<String, Shown> before, String text, boolean headings) {
        Map<String, Shown> now = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            int tab = line.indexOf('\t');
            if (tab < 0) {
                continue;
            }
            String row = line.substring(tab + 1);
            if (tab == 0) {
                Optional.of(row).filter(heading -> headings).ifPresent(out::println);
                continue;
            }
            int blank = line.lastIndexOf(' ', tab);
            String object = line.substring(0, blank);
            String digest = line.substring(blank + 1, tab);
            now.put(object, new Shown(digest, row));
            if (!before.containsKey(object) || !digest.equals(before.get(object).digest())) {
                out.println(row);
            }
        }
        before.forEach((object, shown) -> {
            if (!now.containsKey(object)) {
                out.println(shown.row());
            }
        });
        return now;
    }
}
