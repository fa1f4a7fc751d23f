package io.dualstackd.agent.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The help texts of commands. */
final class HelpTexts {
    static final String RUN =
            "Runs the daemon: programs the kernel so that Services answer, and keeps its rules up to date. "
                    + "Needs CAP_NET_ADMIN. On SIGTERM it ends and leaves the rules in the kernel, so traffic goes on; "
                    + "'dualstackd cleanup' removes them.";
    static final String STATUS =
            "Shows the health of the running daemon: for each IP family what is in force, the last change, and what is wrong.";
    static final String PODS =
            "Lists the pods of this node with all their addresses: as the container runtime reports them; needs a daemon with --cri.";
    static final String POD = "Describes a pod of this node; needs a daemon with --cri.";
    static final String GET =
            "Lists objects as they are in force: Services, slices, ServiceCIDRs, IP addresses, events, pods and this node, with defaults,"
                    + " cluster IPs and node ports.";
    static final String DESCRIBE =
            "Describes objects in several lines, with their events. For Services: families, IPs, ports, endpoints of each family, and what"
                    + " is wrong with them.";
    static final String APPLY =
            "Creates or changes objects: writes them into the manifest folder of the running daemon, which checks all of them first. They"
                    + " are in force when the command ends. An object that is already in a file is replaced there, others get files of their"
                    + " own; comments and other objects of the file are kept.";
    static final String EDIT =
            "Opens objects in an editor: the text of the manifest, comments included, in $DUALSTACKD_EDITOR, $KUBE_EDITOR, $VISUAL, $EDITOR"
                    + " or vi. What is saved is checked as with apply and put in force; if it is refused, the editor opens again with the"
                    + " reasons.";
    static final String DELETE =
            "Removes objects: from the manifest folder of the running daemon; other objects and comments of the same file are kept.";
    static final String DIFF =
            "Shows what apply would change: the manifests of the running daemon beside the given objects, as a unified diff.";
    static final String VALIDATE =
            "Checks manifests without a daemon: by the rules that the daemon applies; prints every error with its position.";
    static final String SERVICE =
            "Lists the addresses and ports that Services answer on: 'service list' prints each with its state and its endpoints.";
    static final String TOP =
            "Shows how much Services are used: new connections per second and in total, on IPv4 and IPv6, and attempts that were refused or"
                    + " dropped, the busiest first. The kernel counts them. Refreshes until Ctrl-C.";
    static final String MONITOR =
            "Shows what the daemon does, as it happens: how Services and endpoints change, and when the change is in force; changes by other"
                    + " programs and their repair; pods that die; problems with objects. One line each, until Ctrl-C. Times are UTC.";
    static final String EXPLAIN =
            "Explains what happens to a packet on this node: the Service, the endpoints, masquerading, or why it is dropped; which rules and"
                    + " elements in the kernel decide it, and whether the kernel agrees with the plan.";
    static final String TRACE =
            "Shows the way of real packets through this node's rules: each rule and element that applied, those of other programs too, and"
                    + " how it ended. With TCP and SCTP only the first packets of connections, with UDP every packet. Sends none itself. Times are UTC.";
    static final String ADDRESSES =
            "Shows which addresses are the node's: examines this host, without the daemon, and prints them in order, with the reason for"
                    + " each.";
    static final String CLEANUP =
            "Removes all rules from the kernel: what dualstackd or a kube-proxy wrote, in every mode, and nothing else, and restores the kernel"
                    + " settings that dualstackd changed. The CNI configuration of --write-cni is removed, too. Refused while a daemon is running. The rules of a kube-proxy go, too: restart one that runs, so that it writes them again.";
    static final String DEMO =
            "Demonstrates dualstackd on this machine: builds a node, pods and a client in private network namespaces, programs"
                    + " Services there and sends real packets. Touches nothing on the host and leaves nothing behind.";
    static final String COMPLETION = "Prints a completion script for a shell.";

    private static final int WIDTH = 80;
    private static final int MIN_WIDTH = 60;
    private static final int MAX_WIDTH = 120;

    private HelpTexts() {}

    /** Applies what all commands have in common. */
    static void decorate(CommandLine commandLine) {
        commandLine.setUsageHelpWidth(WIDTH);
        each(commandLine);
        commandLine.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST, help -> commands(commandLine));
        commandLine
                .getCommandSpec()
                .usageMessage()
                .footer(
                        "",
                        "'dualstackd help COMMAND' shows the options of a command.",
                        "",
                        "Try this first, on any machine:",
                        "  sudo dualstackd demo",
                        "Then with Services of your own:",
                        "  sudo dualstackd run --standalone --manifests DIR",
                        "  sudo dualstackd status",
                        "  sudo dualstackd get services -A",
                        "  sudo dualstackd apply -f web.yaml");
    }

    /** The commands with the first clause of their descriptions. */
    private static String commands(CommandLine root) {
        StringBuilder text = new StringBuilder();
        root.getSubcommands()
                .forEach((name, command) -> text.append(String.format(
                        "  %-12s%s%n",
                        name,
                        command.getCommandSpec().usageMessage().description()[0].replaceAll("[:;.].*", ""))));
        return text + String.format("  %-12s%s%n", "help", "Shows the help of a command");
    }

    private static void each(CommandLine command) {
        CommandHelp help = CommandHelp.of(command.getCommandName());
        Map<String, String> codes = new LinkedHashMap<>();
        help.codes().forEach((code, meaning) -> codes.put(" " + code.number(), meaning));
        command.getCommandSpec()
                .usageMessage()
                .abbreviateSynopsis(true)
                .sortOptions(false)
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .parameterListHeading("%n")
                .exitCodeListHeading(codes.isEmpty() ? "" : "%nExit codes:%n")
                .exitCodeList(codes);
        if (!help.examples().isEmpty()) {
            command.getCommandSpec()
                    .usageMessage()
                    .footer(Stream.concat(
                                    Stream.of("", "Examples:"),
                                    help.examples().stream().map(example -> "  dualstackd " + example))
                            .toArray(String[]::new));
        }
        command.getSubcommands().values().forEach(HelpTexts::each);
    }

    /** The width of help on a terminal: at least 60 and at most 120 columns; 80 when it does not tell its own. */
    static int width(Terminal terminal) {
        return Math.clamp(terminal.columns().orElse(WIDTH), MIN_WIDTH, MAX_WIDTH);
    }
}
