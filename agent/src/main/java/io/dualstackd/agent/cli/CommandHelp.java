package io.dualstackd.agent.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The end of a command's help: examples, and what its exit codes mean.
 *
 * @param examples command lines without the name of the program
 * @param codes meanings of its exit codes
 */
record CommandHelp(List<String> examples, Map<ExitCode, String> codes) {
    private static final String USAGE = "The command line is wrong.";

    /** Without what only happens to a daemon. */
    private static final String UNSUPPORTED = "Privileges (CAP_NET_ADMIN) or kernel features are missing.";

    CommandHelp {
        examples = List.copyOf(examples);
    }

    /** The help of a command by its name. */
    static CommandHelp of(String command) {
        return switch (command) {
            case "run" ->
                new CommandHelp(
                        List.of(
                                "run --standalone --manifests DIR --node-ips 192.0.2.10,2001:db8::10",
                                "run --config /var/lib/kube-proxy/config.conf --hostname-override node-1"),
                        codes(
                                ExitCode.OK,
                                "It was stopped, and left the rules in the kernel.",
                                ExitCode.FAILED,
                                "It could not continue; the reason is in the log.",
                                ExitCode.USAGE,
                                "The command line, the configuration or the source of objects is wrong;"
                                        + " nothing was started.",
                                ExitCode.UNSUPPORTED,
                                ExitCode.UNSUPPORTED.meaning()));
            case "status" ->
                asks(
                        List.of("status", "status -o json | jq .families"),
                        "The daemon has failed; the reasons are printed.",
                        "Traffic follows the last good rules, but there is a problem, which is printed.");
            case "pods" -> asks(List.of("pods", "pods -o wide"), "The container runtime does not answer.");
            case "pod" ->
                asks(
                        List.of("pod shop/web-0", "pod shop/web-0 -o yaml"),
                        "There is no such pod, or the container runtime does not answer.");
            case "get" ->
                asks(
                        List.of("get svc,eps -n shop", "get svc/web -n shop -o jsonpath='{.spec.clusterIPs}'"),
                        "There is no object of that name.");
            case "describe" ->
                asks(
                        List.of("describe svc shop/web", "describe svc,eps -n shop -l app=web"),
                        "Something is wrong with a Service, or it does not exist.");
            case "apply" ->
                asks(
                        List.of("apply -f web.yaml", "apply -R -f manifests/ --dry-run=server"),
                        "The daemon refuses the objects; nothing was changed.");
            case "edit" ->
                asks(
                        List.of("edit svc/web -n shop", "edit svc shop/web"),
                        "The object cannot be edited, the editor failed, or no valid change was saved; nothing was changed.");
            case "diff" ->
                new CommandHelp(
                        List.of("diff -f web.yaml", "diff -R -f manifests/"),
                        codes(
                                ExitCode.OK, "There is no difference.",
                                ExitCode.FAILED, "There are differences.",
                                ExitCode.USAGE, "The command line is wrong, or the daemon would refuse the objects.",
                                ExitCode.NOT_RUNNING, ExitCode.NOT_RUNNING.meaning()));
            case "delete" ->
                asks(
                        List.of("delete svc shop/web", "delete -f web.yaml --ignore-not-found"),
                        "There is no such object, or it cannot be removed; nothing was changed.");
            case "validate" ->
                new CommandHelp(
                        List.of("validate web.yaml", "validate -R manifests/ --service-cluster-ip-range 10.96.0.0/16"),
                        codes(
                                ExitCode.OK, "There is no error.",
                                ExitCode.FAILED, "There are errors.",
                                ExitCode.USAGE, "The command line is wrong, or a file cannot be read."));
            case "monitor" ->
                asks(
                        List.of("monitor shop/web", "monitor -n shop --since 5m -o json"),
                        "The daemon refuses the request.");
            case "top" ->
                asks(
                        List.of("top", "top -n shop --by frontend --interval 5", "top -n shop --by endpoint"),
                        "The daemon refuses the request, or counts nothing in its mode.");
            case "service" ->
                asks(List.of("service list", "service list -n shop -o json"), "The daemon refuses the request.");
            case "explain" ->
                asks(
                        List.of("explain shop/web:http", "explain 10.244.1.7 10.96.0.10:53/udp"),
                        "A packet is not handled as planned, or something on this host drops it.");
            case "trace" ->
                asks(
                        List.of(
                                "trace 10.244.1.7 10.96.0.10:53/udp",
                                "trace 10.244.1.7 10.96.0.10:80 --for 1m --count 5"),
                        "No packet was seen, one was not handled as planned, or packets cannot be traced here.");
            case "addresses" ->
                new CommandHelp(
                        List.of("addresses", "addresses --node-ips ipv6,ipv4 --explain"),
                        codes(
                                ExitCode.OK,
                                "The node has an address.",
                                ExitCode.FAILED,
                                "The node has no address.",
                                ExitCode.USAGE,
                                USAGE,
                                ExitCode.UNSUPPORTED,
                                "The kernel cannot be asked.",
                                ExitCode.NOT_RUNNING,
                                "With --admin-socket: no daemon answers there, or not in time."));
            case "cleanup" ->
                new CommandHelp(
                        List.of("cleanup", "cleanup --state-dir="),
                        codes(
                                ExitCode.OK,
                                "No rule of dualstackd is left.",
                                ExitCode.FAILED,
                                "Something could not be removed, or a daemon is running.",
                                ExitCode.USAGE,
                                USAGE,
                                ExitCode.UNSUPPORTED,
                                UNSUPPORTED));
            case "demo" ->
                new CommandHelp(
                        List.of("demo", "demo --proxy-mode nftables --manifests manifests/"),
                        codes(
                                ExitCode.OK,
                                "Every connection was answered as expected.",
                                ExitCode.FAILED,
                                "A connection was not.",
                                ExitCode.USAGE,
                                USAGE,
                                ExitCode.UNSUPPORTED,
                                UNSUPPORTED));
            case "completion" ->
                new CommandHelp(
                        List.of("completion bash > /etc/bash_completion.d/dualstackd", "completion fish | source"),
                        codes(ExitCode.OK, "The script was printed.", ExitCode.USAGE, USAGE));
            case "dualstackd" -> new CommandHelp(List.of(), Map.of());
            default -> new CommandHelp(List.of(), codes(ExitCode.OK, "All is well.", ExitCode.USAGE, USAGE));
        };
    }

    /** A command that sends a request to the daemon. */
    private static CommandHelp asks(List<String> examples, String failed, String... degraded) {
        Map<ExitCode, String> codes = codes(
                ExitCode.OK,
                "All is well.",
                ExitCode.FAILED,
                failed,
                ExitCode.USAGE,
                USAGE,
                ExitCode.NOT_RUNNING,
                ExitCode.NOT_RUNNING.meaning());
        for (String meaning : degraded) {
            codes.put(ExitCode.DEGRADED, meaning);
        }
        return new CommandHelp(examples, codes);
    }

    private static Map<ExitCode, String> codes(Object... pairs) {
        Map<ExitCode, String> codes = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            codes.put((ExitCode) pairs[i], (String) pairs[i + 1]);
        }
        return codes;
    }
}
