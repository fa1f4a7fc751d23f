package io.dualstackd.agent.cli;

import io.dualstackd.admin.explain.ExplainRequest;
import io.dualstackd.admin.explain.TraceRequest;
import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.agent.config.Durations;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code explain} and {@code trace}: ask the daemon what should happen to a packet, and what happens to real ones. */
final class ExplainCommand {
    private static final List<String> FORMATS = List.of("json", "yaml");

    /** {@code shop}, {@code prod/shop}, {@code svc/shop} with an optional {@code :PORT}. */
    private static final Pattern SERVICE = Pattern.compile(
            "(?:(?:svc|services?)/|(?<namespace>[a-z0-9-]+)/)?(?<name>[a-z0-9][a-z0-9.-]*)(?::(?<port>[a-z0-9-]+))?");

    private ExplainCommand() {}

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(Options.argument(
                        0,
                        "[SOURCE] DESTINATION",
                        true,
                        "The address the packet comes from; one of the node's own means the node itself. It may be omitted before"
                                + " the name of a Service; then every kind of client is explained. The destination:"
                                + " 10.96.0.10:53/udp, [fd00::a]:443 (tcp, udp or sctp, without it tcp), or the name of a"
                                + " Service: shop, prod/shop, prod/shop:http."))
                .addPositional(Options.hidden(Options.argument(1, "DESTINATION", false, "")))
                .addOption(Options.namespace())
                .addOption(OptionSpec.builder("--in")
                        .paramLabel("INTERFACE")
                        .type(String.class)
                        .defaultValue("")
                        .description(
                                "Interface through which it comes in, where pods are detected by their interfaces.")
                        .build())
                .addOption(Options.output(FORMATS, "lines for people"))
                .addOption(Options.socket());
    }

    /** Completes the {@code trace} command. */
    static CommandSpec traced(CommandSpec spec) {
        return spec.addPositional(Options.argument(0, "SOURCE", true, "Address the packets come from."))
                .addPositional(Options.argument(
                        1,
                        "DESTINATION",
                        true,
                        "Destination: 10.96.0.10:53/udp, [fd00::a]:443 (tcp, udp or sctp, without it tcp)."))
                .addOption(OptionSpec.builder("--for")
                        .paramLabel("DURATION")
                        .type(String.class)
                        .defaultValue("10s")
                        .description("How long to wait for packets, at most 5m. Default: ${DEFAULT-VALUE}.")
                        .build())
                .addOption(OptionSpec.builder("--count")
                        .paramLabel("N")
                        .type(Integer.class)
                        .defaultValue("1")
                        .description("End after this many packets, at most 100. Default: ${DEFAULT-VALUE}.")
                        .build())
                .addOption(OptionSpec.builder("--in")
                        .paramLabel("INTERFACE")
                        .type(String.class)
                        .defaultValue("")
                        .description("Only packets that come in through this interface.")
                        .build())
                .addOption(Options.output(FORMATS, "lines for people"))
                .addOption(Options.socket());
    }

    /** @param forPeople what lines for people become before they are printed */
    static ExitCode executeTrace(
            ParseResult command, UnaryOperator<String> forPeople, PrintStream out, PrintStream err) {
        String format = Options.output(command, FORMATS);
        String given = command.commandSpec().findOption("--for").getValue();
        Duration time = Durations.parse(given)
                .orElseThrow(() ->
                        Options.misuse(command, "--for: \"" + given + "\": must be a duration such as 10s or 1m30s"));
        if (time.compareTo(TraceRequest.MIN_TIME) < 0 || time.compareTo(TraceRequest.MAX_TIME) > 0) {
            // Here and not in the request, which knows seconds and not what was typed.
            throw Options.misuse(command, "--for: \"" + given + "\": must be 1s to 5m");
        }
        int count = command.commandSpec().findOption("--count").getValue();
        TraceRequest traceRequest;
        try {
            traceRequest = new TraceRequest(
                    packet(command, Options.given(command, 0), Options.given(command, 1)), time, count);
        } catch (IllegalArgumentException e) {
            throw Options.misuse(command, String.valueOf(e.getMessage()));
        }
        String socket = Options.socket(command);
        AdminClient.Answer answer = format.equals("text")
                ? AdminClient.follow(Path.of(socket), "trace live " + traceRequest.words(), time, packet -> {
                    out.print(forPeople.apply(packet));
                    // The reader may have closed the pipe; that ends the trace.
                    return !out.checkError();
                })
                : AdminClient.send(Path.of(socket), "trace " + format + " " + traceRequest.words(), time);
        return StatusCommand.print(answer, socket, out, err);
    }

    private static ExplainRequest packet(ParseResult command, String source, String destination) {
        try {
            return ExplainRequest.parse(source, destination, interfaceName(command));
        } catch (IllegalArgumentException e) {
            throw Options.misuse(command, String.valueOf(e.getMessage()));
        }
    }

    private static String interfaceName(ParseResult command) {
        String in = command.commandSpec().findOption("--in").getValue();
        if (in.chars().anyMatch(Character::isWhitespace) || in.length() > 15) {
            throw Options.misuse(
                    command, "--in: \"" + in + "\": must be an interface name: at most 15 bytes, no blanks");
        }
        return in;
    }

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        String format = Options.output(command, FORMATS);
        String first = Options.given(command, 0);
        String second = Options.given(command, 1);
        Matcher name = SERVICE.matcher(second.isEmpty() ? first : second);
        if (name.matches() && !isAddress(name.group())) {
            return service(command, second.isEmpty() ? "-" : first, name, format, out, err);
        }
        if (second.isEmpty()) {
            throw Options.misuse(
                    command, "\"" + first + "\": give a source and a destination, or the name of a Service");
        }
        ExplainRequest explainRequest = packet(command, first, second);
        String socket = Options.socket(command);
        String question = "explain " + format + " " + String.join(" ", explainRequest.words());
        return StatusCommand.print(AdminClient.send(Path.of(socket), question), socket, out, err);
    }

    private static boolean isAddress(String text) {
        return text.matches("[0-9.]+(:.*)?");
    }

    private static ExitCode service(
            ParseResult command, String source, Matcher name, String format, PrintStream out, PrintStream err) {
        String namespace = name.group("namespace") == null ? Options.namespace(command) : name.group("namespace");
        String port = name.group("port") == null ? "" : ":" + name.group("port");
        String in = interfaceName(command);
        if (!in.isEmpty() && source.equals("-")) {
            throw Options.misuse(command, "--in: \"" + in + "\": give the source that its packets come from, too");
        }
        String socket = Options.socket(command);
        return DescribeCommand.print(
                AdminClient.send(
                        Path.of(socket),
                        "explain-service " + format + " " + source + " " + namespace + "/" + name.group("name") + port
                                + (in.isEmpty() ? "" : " " + in)),
                socket,
                out,
                err);
    }
}
