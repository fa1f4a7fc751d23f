package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.agent.config.Durations;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code monitor}: prints what happens in the daemon, until it is interrupted. */
final class MonitorCommand {
    private static final List<String> FORMATS = List.of("json");
    /** The polling interval; the daemon keeps its last records, so none is missed unless it logs more than that within one interval. */
    private static final Duration PERIOD = Duration.ofMillis(250);

    private static final int TIME_FROM = "2026-11-21T".length();
    private static final int TIME_TO = "2026-11-21T04:52:01.123".length();

    /** A time in seconds from which the daemon has nothing on record: a year. */
    private static final long ALL = 365L * 24 * 3600;

    private MonitorCommand() {}

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(Options.argument(
                        0, "[NS/]NAME", false, "Only what concerns this object, for example a Service or a pod."))
                .addOption(OptionSpec.builder("-n", "--namespace")
                        .paramLabel("NS")
                        .type(String.class)
                        .description("Only what concerns objects of this namespace; without it everything.")
                        .build())
                .addOption(OptionSpec.builder("-A", "--all-namespaces")
                        .description("Everything, as by default.")
                        .build())
                .addOption(OptionSpec.builder("--since")
                        .paramLabel("DURATION")
                        .type(String.class)
                        .description(
                                "Print first what happened in this time, for example 5m, as far as the daemon has it on record.")
                        .build())
                .addOption(OptionSpec.builder("--once")
                        .description("Print what is on record and exit; with --since only what happened in that time.")
                        .build())
                .addOption(Options.output(FORMATS, "text"))
                .addOption(Options.socket());
    }

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        String format = Options.output(command, FORMATS);
        String socket = Options.socket(command);
        boolean once = Options.isSet(command, "--once");
        String from = command.hasMatchedOption("--since") ? "since-" + seconds(command) : once ? "since-" + ALL : "now";
        String name = name(command);
        Optional<Long> firstEnd = Optional.empty();
        long last = -1;
        boolean waits = false;
        while (true) {
            AdminClient.Answer answer = AdminClient.send(Path.of(socket), "monitor " + from + " " + name);
            Optional<Tree.Mapping> batch = answer instanceof AdminClient.Answer.Report report
                    ? JsonTree.read(report.text().getBytes(StandardCharsets.UTF_8))
                    : Optional.empty();
            if (batch.isEmpty() && last >= 0 && !once && answer instanceof AdminClient.Answer.Unreachable) {
                if (!waits) {
                    err.println("dualstackd: no daemon answers; waiting for the next one");
                }
                waits = true;
                if (isInterrupted()) {
                    return ExitCode.OK;
                }
                continue;
            }
            if (batch.isEmpty()) {
                return StatusCommand.print(answer, socket, out, err);
            }
            waits = false;
            Map<String, Tree> entries = batch.get().entries();
            print(entries, format.equals("json"), out, err);
            if (out.checkError()) {
                // The reader has closed the pipe.
                return ExitCode.OK;
            }
            from = text(entries, "next");
            Optional<Long> end = number(entries, "end");
            firstEnd = firstEnd.or(() -> end);
            long next = number(entries, "next").orElse(0L);
            // What is on record may take several answers, and more may be added meanwhile. A daemon that was started
            // anew has higher numbers.
            boolean more = next > last && next < (once ? firstEnd : end).orElse(0L);
            last = next;
            if (!more && (once || isInterrupted())) {
                return ExitCode.OK;
            }
        }
    }

    /** Waits for a period; returns whether the thread was interrupted meanwhile. */
    private static boolean isInterrupted() {
        try {
            Thread.sleep(PERIOD);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static long seconds(ParseResult command) {
        String given = command.matchedOptionValue("--since", "");
        return Durations.parse(given)
                .filter(Duration::isPositive)
                .orElseThrow(() -> Options.misuse(
                        command, "--since: \"" + given + "\": must be a duration such as 30s, 5m or 1h30m"))
                .toSeconds();
    }

    private static String name(ParseResult command) {
        String given = Options.given(command, 0);
        String namespace = Options.oneNamespace(command).orElse("");
        if (given.isEmpty()) {
            return namespace.isEmpty() ? "*" : namespace + "/";
        }
        String full = given.contains("/") ? given : (namespace.isEmpty() ? "default" : namespace) + "/" + given;
        if (!full.matches(Options.NAMESPACE + "/" + Options.NAME)) {
            throw Options.misuse(command, "\"" + given + "\": must be NAME or NAMESPACE/NAME");
        }
        return full;
    }

    private static void print(Map<String, Tree> batch, boolean json, PrintStream out, PrintStream err) {
        String lost = text(batch, "lost");
        if (!lost.equals("0")) {
            err.println("dualstackd: " + lost + " records were lost: there were more than the daemon keeps");
        }
        if (batch.get("lines") instanceof Tree.Sequence lines) {
            for (Tree line : lines.items()) {
                if (line instanceof Tree.Scalar record) {
                    out.println(json ? record.text() : forPeople(record.text()));
                }
            }
        }
        out.flush();
    }

    /** {@code 04:52:01.123  dataplane   in force family=IPv4 ms=1.7}. */
    private static String forPeople(String line) {
        Map<String, Tree> record = JsonTree.read(line.getBytes(StandardCharsets.UTF_8))
                .map(Tree.Mapping::entries)
                .orElse(Map.of());
        String time = text(record, "time");
        String level = text(record, "level");
        StringBuilder text = new StringBuilder(time.length() < TIME_TO ? time : time.substring(TIME_FROM, TIME_TO));
        String logger = text(record, "logger");
        text.append("  ").append(logger).repeat(' ', Math.max(1, 12 - logger.length()));
        if (level.equals("WARN") || level.equals("ERROR")) {
            text.append(level).append(": ");
        }
        text.append(text(record, "msg"));
        if (record.get("fields") instanceof Tree.Mapping fields) {
            fields.entries().keySet().forEach(key -> {
                String value = text(fields.entries(), key);
                boolean quoted = value.isEmpty() || value.contains(" ");
                text.append(' ').append(key).append('=').append(quoted ? "\"" + value + "\"" : value);
            });
        }
        // Values may be texts of other programs.
        return Problem.shown(text.toString());
    }

    private static Optional<Long> number(Map<String, Tree> of, String name) {
        String text = text(of, name);
        return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    private static String text(Map<String, Tree> of, String name) {
        return of.get(name) instanceof Tree.Scalar scalar ? scalar.text() : "";
    }
}
