package io.dualstackd.agent.cli;

import io.dualstackd.admin.explain.ExplainRequest;
import io.dualstackd.admin.io.AdminClient;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code explain}: asks the daemon what happens to a packet. */
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
                        "Address the packet comes from; one of the node's own means the node itself. May be left out before the"
                                + " name of a Service: then every kind of client is answered."))
                .addPositional(Options.argument(
                        1,
                        "DESTINATION",
                        false,
                        "Where it is sent to: 10.96.0.10:53/udp, [fd00::a]:443 (tcp, udp or sctp, without it tcp), or the name of a"
                                + " Service: shop, prod/shop, prod/shop:http."))
                .addOption(Options.namespace())
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
        String in = command.commandSpec().findOption("--in").getValue();
        ExplainRequest explainRequest;
        try {
            explainRequest = ExplainRequest.parse(first, second, in);
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

    private static boolean isAddress(String text) {
        return text.matches("[0-9.]+(:.*)?");
    }

    private static ExitCode service(
            ParseResult command, String source, Matcher name, String format, PrintStream out, PrintStream err) {
        String namespace = name.group("namespace") == null ? Options.namespace(command) : name.group("namespace");
        String port = name.group("port") == null ? "" : ":" + name.group("port");
        String socket = Options.socket(command);
        return DescribeCommand.print(
                AdminClient.ask(
                        Path.of(socket),
                        "explain-service " + format + " " + source + " " + namespace + "/" + name.group("name") + port),
                socket,
                out,
                err);
    }
}
