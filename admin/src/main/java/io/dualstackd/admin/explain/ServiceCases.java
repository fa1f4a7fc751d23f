package io.dualstackd.admin.explain;

import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.explain.Agreement;
import io.dualstackd.explain.Explanation;
import io.dualstackd.explain.HostPath;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What happens to packets for a Service, from each kind of client to each of its addresses.
 *
 * @param explained the combinations, in the order in which they are printed
 * @param leftOut how many others there are
 */
public record ServiceCases(List<Explained> explained, int leftOut) {
    /** The most packets that one request explains: each takes some milliseconds. */
    public static final int MOST = 100;

    /** A client outside of the cluster: the first addresses of networks for documentation (RFC 5737, RFC 3849). */
    private static final List<Ip> OUTSIDE = List.of(Ip.parse("192.0.2.1"), Ip.parse("2001:db8::1"));

    private static final int SHOWN_ENDPOINTS = 3;

    /**
     * A packet to explain.
     *
     * @param client kind of the client: {@code pod}, {@code node}, {@code outside} or {@code given}
     * @param kind kind of the address: {@code cluster IP}, {@code external IP}, {@code load balancer} or {@code node port}
     */
    public record Case(String client, String kind, ExplainRequest request) {}

    /** A packet and what happens to it. */
    public record Explained(Case packet, Explanation explanation) {}

    /**
     * The clients to explain.
     *
     * @param given the only client; empty for one of every kind
     * @param in the interface that its packets come in through, if that was given
     * @param pods addresses of pods of this node
     * @param podInterface as {@link Explainer#podInterface}
     * @param node addresses of this node
     */
    public record Clients(
            Optional<Ip> given,
            Optional<String> in,
            List<Ip> pods,
            Function<Ip, Optional<String>> podInterface,
            List<Ip> node) {
        public Clients {
            pods = List.copyOf(pods);
            node = List.copyOf(node);
        }
    }

    public ServiceCases {
        explained = List.copyOf(explained);
    }

    /**
     * The packets for a Service.
     *
     * @param port name or number of the port; empty for all
     */
    public static List<Case> of(Service service, String port, Clients clients) {
        List<Case> cases = new ArrayList<>();
        for (Service.Port one : service.ports()) {
            if (!port.isEmpty() && !port.equals(one.name()) && !port.equals(Integer.toString(one.port()))) {
                continue;
            }
            for (Ip ip : service.clusterIps()) {
                cases.addAll(from(clients, "cluster IP", ip, one.port(), one));
            }
            for (Ip ip : service.externalIps()) {
                cases.addAll(from(clients, "external IP", ip, one.port(), one));
            }
            service.ingress()
                    .forEach(entry -> cases.addAll(from(clients, "load balancer", entry.ip(), one.port(), one)));
            if (one.nodePort() != 0) {
                for (Ip ip : clients.node()) {
                    cases.addAll(from(clients, "node port", ip, one.nodePort(), one));
                }
            }
        }
        return cases;
    }

    private static List<Case> from(Clients clients, String kind, Ip to, int number, Service.Port port) {
        List<Case> cases = new ArrayList<>();
        if (clients.given().isPresent()) {
            add(cases, "given", kind, clients.given().stream().toList(), source -> clients.in(), to, number, port);
            return cases;
        }
        add(cases, "pod", kind, clients.pods(), clients.podInterface(), to, number, port);
        add(cases, "node", kind, clients.node(), source -> Optional.empty(), to, number, port);
        add(cases, "outside", kind, OUTSIDE, source -> Optional.empty(), to, number, port);
        return cases;
    }

    private static void add(
            List<Case> cases,
            String client,
            String kind,
            List<Ip> sources,
            Function<Ip, Optional<String>> in,
            Ip to,
            int number,
            Service.Port port) {
        sources.stream()
                .filter(source -> source.family() == to.family())
                .findFirst()
                .ifPresent(source -> cases.add(new Case(
                        client, kind, new ExplainRequest(source, to, number, port.protocol(), in.apply(source)))));
    }

    /** Whether every packet that is forwarded gets through, and the kernel agrees with the plan. */
    public boolean isGood() {
        return explained.stream().map(Explained::explanation).noneMatch(ServiceCases::isWrong);
    }

    private static boolean isWrong(Explanation explanation) {
        boolean stopped = explanation.fate() instanceof PacketFate.Forwarded
                && explanation.host().filter(HostPath::stops).isPresent();
        return stopped || explanation.agreement() instanceof Agreement.Differs;
    }

    /** A table with a row for each packet, and the command that shows the kernel's rules for one of them. */
    public String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("FROM", "TO", "ADDRESS", "RESULT", "ENDPOINTS"));
        for (Explained one : explained) {
            rows.add(List.of(
                    one.packet().client() + " " + one.packet().request().source(),
                    destination(one.packet().request()),
                    one.packet().kind(),
                    result(one.explanation()),
                    endpoints(one.explanation())));
        }
        // The first packet that is not as it should be, or else the first.
        String details = explained.stream()
                .filter(one -> isWrong(one.explanation()))
                .findFirst()
                .or(() -> explained.stream().findFirst())
                .map(one -> one.packet().request())
                .map(request -> "\nThe rules in the kernel that do it, for one packet: dualstackd explain "
                        + request.source() + " " + destination(request)
                        + request.in().map(in -> " --in " + in).orElse("") + "\n")
                .orElse("");
        String more = leftOut == 0
                ? ""
                : "\nand " + leftOut
                        + " more, which were not examined: give one port, NAMESPACE/NAME:PORT, or a source\n";
        return TextTable.print(rows) + more + details;
    }

    private static String destination(ExplainRequest request) {
        return new IpPort(request.destination(), request.port()) + "/"
                + request.protocol().toString().toLowerCase(Locale.ROOT);
    }

    private static String result(Explanation explanation) {
        String kernel = explanation.agreement() instanceof Agreement.Differs ? ", KERNEL DIFFERS" : "";
        return switch (explanation.fate()) {
            case PacketFate.Forwarded(var ignored, var reason, var hops) ->
                forwarded(explanation)
                        + (hops.stream().anyMatch(hop -> hop.masqueraded()) ? ", masqueraded" : "")
                        + kernel;
            case PacketFate.Rejected(var ignored, String why) -> "refused: " + why + kernel;
            case PacketFate.Dropped(var ignored, String why) -> "dropped: " + why + kernel;
            case PacketFate.NotOurs() -> "not for a Service" + kernel;
        };
    }

    private static String forwarded(Explanation explanation) {
        if (explanation.host().filter(HostPath::drops).isPresent()) {
            return "forwarded, DROPPED by this host";
        }
        if (explanation.host().filter(HostPath::bypasses).isPresent()) {
            return "forwarded, BYPASSED on this host";
        }
        if (explanation.host().filter(HostPath::mayBypass).isPresent()) {
            return "forwarded, may be BYPASSED on this host";
        }
        return explanation.host().filter(HostPath::mayDrop).isPresent()
                ? "forwarded, may be DROPPED by this host"
                : "forwarded";
    }

    private static String endpoints(Explanation explanation) {
        if (!(explanation.fate() instanceof PacketFate.Forwarded forwarded)) {
            return "";
        }
        int more = forwarded.hops().size() - SHOWN_ENDPOINTS;
        return forwarded.hops().stream()
                        .limit(SHOWN_ENDPOINTS)
                        .map(hop -> hop.to().address().toString())
                        .collect(Collectors.joining(" "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** A list with an object for each packet. */
    public Tree tree() {
        return Tree.object(
                        "packets",
                        explained.stream()
                                .map(one -> Tree.object("client", one.packet().client())
                                        .with("address", one.packet().kind())
                                        .with("explanation", ExplanationJson.of(one.explanation())))
                                .toList())
                .with("notExamined", leftOut);
    }
}
