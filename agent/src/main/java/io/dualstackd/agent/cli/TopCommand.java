package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.top.EndpointTable;
import io.dualstackd.admin.top.TopTable;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code top}: shows how much each Service is used, refreshed periodically until it is interrupted. */
final class TopCommand {
    private static final List<String> FORMATS = List.of("json", "yaml");
    private static final List<String> BY = List.of("service", "frontend", "endpoint");
    private static final int LONGEST_INTERVAL = 3600;
    /** Of a terminal that does not say how many it has. */
    private static final int LINES = 24;
    /** Lines around the table: the summary, the empty line, the head, the number of lines left out, the cursor. */
    private static final int OTHER_LINES = 5;

    /** The cursor to the upper left corner, and everything behind it cleared. */
    private static final String CLEAR = "\033[H\033[2J";

    /** In the last column of a line that is cut. */
    private static final String CUT = "…";

    private final ParseResult command;
    private final Terminal terminal;
    private final PrintStream out;
    private final PrintStream err;
    private final String socket;

    TopCommand(ParseResult command, Terminal terminal, PrintStream out, PrintStream err) {
        this.command = command;
        this.terminal = terminal;
        this.out = out;
        this.err = err;
        this.socket = Options.socket(command);
    }

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addOption(OptionSpec.builder("-n", "--namespace")
                        .paramLabel("NS")
                        .type(String.class)
                        .description("Only this namespace. Default: all.")
                        .build())
                .addOption(OptionSpec.builder("-A", "--all-namespaces")
                        .description("All namespaces, as by default.")
                        .build())
                .addOption(OptionSpec.builder("--by")
                        .paramLabel("WHAT")
                        .type(String.class)
                        .defaultValue(BY.getFirst())
                        .completionCandidates(BY)
                        .description(
                                "A line for each service, each frontend (an address and port), or each endpoint. Default: ${DEFAULT-VALUE}.")
                        .build())
                .addOption(OptionSpec.builder("--interval")
                        .paramLabel("SECONDS")
                        .type(Integer.class)
                        .defaultValue("2")
                        .description("Seconds between two readings, 1 to 3600. Default: ${DEFAULT-VALUE}.")
                        .build())
                .addOption(OptionSpec.builder("--once")
                        .description(
                                "Print the totals once and exit; this is the default if the output is not a terminal.")
                        .build())
                .addOption(Options.output(FORMATS, "a table"))
                .addOption(Options.socket());
    }

    ExitCode execute() {
        String by = command.commandSpec().findOption("--by").getValue();
        if (!BY.contains(by)) {
            throw Options.misuse(command, "--by: \"" + by + "\": must be " + String.join(", ", BY));
        }
        int interval = command.commandSpec().findOption("--interval").getValue();
        if (interval < 1 || interval > LONGEST_INTERVAL) {
            throw Options.misuse(command, "--interval: \"" + interval + "\": must be 1 to " + LONGEST_INTERVAL);
        }
        String format = Options.output(command, FORMATS);
        if (!format.equals("text")) {
            return StatusCommand.print(request(format), socket, out, err);
        }
        Table table = byEndpoint() ? EndpointTable::of : new TopTable(by.equals("frontend"))::of;
        return terminal.screen() && !Options.isSet(command, "--once")
                ? refresh(table, Duration.ofSeconds(interval))
                : once(table);
    }

    /** Makes the lines for people. */
    private interface Table {
        String of(Optional<Tree.Mapping> before, Tree.Mapping now, int lines);
    }

    private boolean byEndpoint() {
        return "endpoint".equals(command.commandSpec().findOption("--by").getValue());
    }

    private AdminClient.Answer request(String format) {
        String namespace = Options.oneNamespace(command).orElse("*");
        return AdminClient.send(
                Path.of(socket), "top " + format + " " + namespace + (byEndpoint() ? " endpoints" : ""));
    }

    private ExitCode once(Table table) {
        AdminClient.Answer answer = request("json");
        Optional<Tree.Mapping> now = read(answer);
        now.ifPresent(counts -> out.print(table.of(Optional.empty(), counts, Integer.MAX_VALUE)));
        return now.isPresent() ? ExitCode.OK : StatusCommand.print(answer, socket, out, err);
    }

    private ExitCode refresh(Table table, Duration interval) {
        Optional<Tree.Mapping> before = Optional.empty();
        while (true) {
            AdminClient.Answer answer = request("json");
            Optional<Tree.Mapping> now = read(answer);
            if (now.isEmpty()) {
                return StatusCommand.print(answer, socket, out, err);
            }
            int lines = Math.max(1, terminal.rows().orElse(LINES) - OTHER_LINES);
            out.print(CLEAR + cut(table.of(before, now.get(), lines)));
            out.flush();
            before = now;
            try {
                Thread.sleep(interval);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return ExitCode.OK;
            }
        }
    }

    /** Cuts lines that are longer than the terminal is wide, with a mark: wrapped, they would take more lines than it has. */
    private String cut(String text) {
        int columns = terminal.columns().orElse(Integer.MAX_VALUE);
        return text.lines()
                .map(line -> (line.length() <= columns ? line : line.substring(0, columns - 1) + CUT) + "\n")
                .collect(Collectors.joining());
    }

    private static Optional<Tree.Mapping> read(AdminClient.Answer answer) {
        return answer instanceof AdminClient.Answer.Report report
                ? JsonTree.read(report.text().getBytes(StandardCharsets.UTF_8))
                : Optional.empty();
    }
}
