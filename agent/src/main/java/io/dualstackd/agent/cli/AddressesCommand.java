package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.agent.config.Key;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.sys.NativeAccessException;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.AddressReport;
import io.dualstackd.node.io.HostName;
import io.dualstackd.nodeaddr.Detection;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.HostNames;
import io.dualstackd.nodeaddr.NodeAddressException;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import io.dualstackd.nodeaddr.NodeIpFlags;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.nodeaddr.io.HostReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** {@code addresses}: inspects this host once and prints which addresses belong to the node. */
final class AddressesCommand {
    private static final List<String> FORMATS = List.of("table", "json", "yaml");

    private static final String WANTED =
            "Which addresses are wanted, the primary one first: addresses, ipv4, ipv6, networks like"
                    + " 10.0.0.0/8 or interface:NAME, one element or two of different families. Default: "
                    + NodeIps.DEFAULT
                    + ".";

    /** The time limit for name resolution; a resolver without servers takes half a minute to fail. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /** The number of addresses named in an error; '--explain' shows all. */
    private static final int NAMED = 4;

    private AddressesCommand() {}

    static CommandSpec spec(CommandSpec spec) {
        for (Key key : List.of(Key.NODE_IPS, Key.NODE_IP, Key.HOSTNAME_OVERRIDE)) {
            spec.addOption(OptionSpec.builder(key.flag())
                    .paramLabel(key.parameter())
                    .type(String.class)
                    .description(key == Key.NODE_IPS ? WANTED : key.help())
                    .build());
        }
        spec.addOption(OptionSpec.builder("--explain")
                .description("Show what else was found, and why it was passed over.")
                .build());
        spec.addOption(OptionSpec.builder(Key.ADMIN_SOCKET.flag())
                .paramLabel(Key.ADMIN_SOCKET.parameter())
                .type(String.class)
                .description("Show which addresses the daemon that listens there uses, instead of examining this host.")
                .build());
        spec.addOption(OptionSpec.builder("-o", "--output")
                .paramLabel("FORMAT")
                .type(String.class)
                .defaultValue("table")
                .completionCandidates(FORMATS)
                .description("table for people, json or yaml for programs. Default: ${DEFAULT-VALUE}.")
                .build());
        return spec;
    }

    static ExitCode execute(ParseResult command, PrintStream out, PrintStream err) {
        String format = command.commandSpec().findOption("--output").getValue();
        if (!FORMATS.contains(format)) {
            throw misuse(command, "--output: \"" + format + "\": must be table, json or yaml");
        }
        Optional<String> socket = given(command, Key.ADMIN_SOCKET);
        if (socket.isPresent()) {
            return running(command, socket.get(), format, out, err);
        }
        NodeIpFlags flags;
        try {
            flags = NodeIpFlags.read(given(command, Key.NODE_IPS), given(command, Key.NODE_IP), "");
        } catch (IllegalArgumentException e) {
            throw misuse(command, Objects.toString(e.getMessage(), "bad node IPs"));
        }
        flags.warnings().forEach(warning -> err.println("dualstackd: warning: " + warning));
        AddressReport report;
        try (NetNs ns = NetNs.current()) {
            report = report(
                    flags.wanted(),
                    HostReader.read(ns),
                    names(ns, given(command, Key.HOSTNAME_OVERRIDE)),
                    Options.isSet(command, "--explain"));
        } catch (NativeAccessException e) {
            err.println("dualstackd: " + e.getMessage());
            return ExitCode.UNSUPPORTED;
        } catch (IOException e) {
            err.println("dualstackd: this host cannot be examined: " + e.getMessage());
            return ExitCode.FAILED;
        }
        out.print(
                switch (format) {
                    case "json" -> JsonPrint.indented(report.tree());
                    case "yaml" -> YamlPrint.of(report.tree());
                    default -> report.table();
                });
        if (Options.isSet(command, "--explain") && format.equals("table")) {
            err.println("These are the addresses of this host as it is now, with the flags given here; '"
                    + command.commandSpec().qualifiedName() + " " + Key.ADMIN_SOCKET.flag() + " "
                    + Key.ADMIN_SOCKET.fallback() + "' shows what a running daemon uses.");
        }
        report.addresses().warnings().forEach(warning -> err.println("dualstackd: warning: " + warning));
        report.error().ifPresent(why -> err.println("dualstackd: " + why));
        return report.error().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** The addresses a running daemon uses, from its status. */
    private static ExitCode running(
            ParseResult command, String socket, String format, PrintStream out, PrintStream err) {
        for (Key key : List.of(Key.NODE_IPS, Key.NODE_IP, Key.HOSTNAME_OVERRIDE)) {
            if (given(command, key).isPresent()) {
                throw misuse(command, key.flag() + " is for this host, and a running daemon has its own: leave it out");
            }
        }
        AdminClient.Answer answer = AdminClient.status(Path.of(socket), "json");
        if (!(answer instanceof AdminClient.Answer.Report(String text, boolean ignored, boolean also))) {
            return StatusCommand.print(answer, socket, out, err);
        }
        Tree.Mapping status;
        try {
            status = JsonTree.read(text.getBytes(StandardCharsets.UTF_8), 0);
        } catch (IOException e) {
            err.println("dualstackd: the answer of the daemon is not JSON: " + e.getMessage());
            return ExitCode.FAILED;
        }
        List<Tree> addresses = items(status, "nodeAddresses");
        List<List<String>> rows = new ArrayList<>(List.of(List.of("ADDRESS", "TYPE", "WHY")));
        addresses.forEach(each -> rows.add(Stream.of("address", "type", "reason")
                .map(name -> each instanceof Tree.Mapping mapping
                                && mapping.entries().get(name) instanceof Tree.Scalar value
                        ? value.text()
                        : "")
                .toList()));
        Tree.Mapping found = Tree.object("addresses", addresses);
        out.print(
                switch (format) {
                    case "json" -> JsonPrint.indented(found);
                    case "yaml" -> YamlPrint.of(found);
                    default -> addresses.isEmpty() ? "" : TextTable.print(rows);
                });
        items(status, "nodeAddressTroubles").stream()
                .flatMap(warning -> warning instanceof Tree.Scalar word ? Stream.of(word.text()) : Stream.empty())
                .forEach(warning -> err.println("dualstackd: warning: " + warning));
        return addresses.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
    }

    private static List<Tree> items(Tree.Mapping status, String name) {
        return status.entries().get(name) instanceof Tree.Sequence(List<Tree> items, int _) ? items : List.of();
    }

    private static AddressReport report(NodeIps wanted, Host host, HostNames names, boolean explain) {
        try {
            return new AddressReport(wanted, Detection.detect(host, names, wanted), Optional.empty(), explain);
        } catch (NodeAddressException e) {
            return new AddressReport(
                    wanted,
                    new NodeAddresses(List.of(), e.passedOver(), List.of()),
                    Optional.of(e.getMessage() + "; " + next(e.passedOver(), explain)),
                    explain);
        }
    }

    /** Returns what to do next. Of the addresses passed over, it names only those that can be requested. */
    private static String next(List<PassedOver> passedOver, boolean explain) {
        List<String> there = passedOver.stream()
                .filter(each ->
                        each.candidate().contains(" on ") && !each.reason().startsWith("it is a "))
                .map(PassedOver::candidate)
                .toList();
        if (there.isEmpty()) {
            return "it has only loopback and link-local addresses: is its network set up?";
        }
        return "it has " + there.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (there.size() > NAMED ? ", …" : "")
                + (explain ? "" : " ('--explain' shows why these were not chosen)")
                + ": give another " + Key.NODE_IPS.flag() + ", or give the host the address";
    }

    private static HostNames names(NetNs ns, Optional<String> override) throws IOException {
        String name = HostName.of(override);
        return new HostNames(name, HostName.resolve(ns, name, TIMEOUT));
    }

    private static Optional<String> given(ParseResult command, Key key) {
        String value = command.matchedOptionValue(key.flag(), "").strip();
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    private static ParameterException misuse(ParseResult command, String rule) {
        return new ParameterException(command.commandSpec().commandLine(), rule);
    }
}
