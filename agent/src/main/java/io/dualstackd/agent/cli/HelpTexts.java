package io.dualstackd.agent.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/** The help texts of commands. */
final class HelpTexts {
    static final String RUN = "Runs the daemon: programs the kernel so that Services answer, and keeps it so. "
            + "Needs CAP_NET_ADMIN. On SIGTERM it ends and leaves the rules in the kernel, so traffic goes on; "
            + "'dualstackd cleanup' removes them.";
    static final String STATUS =
            "Asks the running daemon how it is: for each IP family what is in force, the last change, and "
                    + "what is wrong.";
    static final String PODS =
            "Lists the pods of this node with all their addresses, as the container runtime tells; needs a daemon with"
                    + " --cri.";
    static final String POD = "Describes one pod of this node; needs a daemon with --cri.";
    static final String GET =
            "Lists the Services, slices, ServiceCIDRs, IP addresses or events the running daemon knows, as they are in"
                    + " force: with defaults, cluster IPs and node ports.";
    static final String DESCRIBE =
            "Describes a Service: families, IPs, ports, endpoints of each family, events, and what is wrong with it."
                    + " Ends with 1 when something is.";
    static final String APPLY =
            "Writes objects into the manifest folder of the running daemon, after it has judged all of them; they are in force"
                    + " when the command ends. Objects that a file has already are replaced there, others get files of their own; comments"
                    + " and other objects of the file stay.";
    static final String DELETE =
            "Removes objects from the manifest folder of the running daemon; other objects and comments of the same file stay.";
    static final String DIFF =
            "Prints how the manifests of the running daemon would change if the objects were applied, as a unified diff. Ends with 1"
                    + " when there are differences, with 2 when they would be refused.";
    static final String VALIDATE =
            "Checks manifests by the rules of the daemon, without a daemon: prints every error with its place. Ends with 1 when there"
                    + " is one.";
    static final String SERVICE =
            "'service list' prints every address and port that Services answer on, one a line, with its state and its endpoints.";
    static final String EXPLAIN =
            "Says what would become of a packet on this node right now, and why: Service, endpoints, masquerade, or why it is"
                    + " dropped; which rules and elements in the kernel say so, and whether the kernel agrees with the plan. Ends with 1"
                    + " when it does not.";
    static final String ADDRESSES =
            "Looks at this host, without the daemon, and prints which addresses are the node's, in which order, and why each.";
    static final String CLEANUP =
            "Removes from the kernel what dualstackd or a kube-proxy wrote, in every mode, and nothing else, and puts the kernel"
                    + " settings back that dualstackd changed. Refuses while a daemon runs.";
    static final String DEMO =
            "Shows it all on this machine: builds a node, pods and a client in private network namespaces, programs"
                    + " Services there and sends real packets. Touches nothing of the host and leaves nothing behind.";
    static final String COMPLETION = "Prints a completion script. Use it with: source <(dualstackd completion)";

    private static final int WIDTH = 100;

    private HelpTexts() {}

    /** Applies what all commands have in common. */
    static void decorate(CommandLine commandLine) {
        commandLine.setUsageHelpWidth(WIDTH);
        each(commandLine);
        commandLine
                .getCommandSpec()
                .usageMessage()
                .footer(
                        "",
                        "Try this first, on any machine:",
                        "  sudo dualstackd demo",
                        "Then with Services of your own:",
                        "  sudo dualstackd run --standalone --manifests DIR",
                        "  sudo dualstackd status",
                        "  sudo dualstackd get services -A",
                        "  sudo dualstackd apply -f web.yaml");
    }

    private static void each(CommandLine command) {
        command.getCommandSpec()
                .usageMessage()
                .abbreviateSynopsis(true)
                .sortOptions(false)
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .parameterListHeading("%n")
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes());
        command.getSubcommands().values().forEach(HelpTexts::each);
    }

    private static Map<String, String> exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        for (ExitCode code : ExitCode.values()) {
            codes.put(" " + code.number(), code.meaning());
        }
        return codes;
    }
}
