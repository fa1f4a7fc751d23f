package io.dualstackd.admin.objects;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Handling;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.view.ServiceViews;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every address and port that Services answer on, with the endpoints behind each.
 *
 * @param rows ordered by namespace and name of the Service
 */
public record Frontends(List<Row> rows) {
    private static final int SHOWN = 3;

    /**
     * An address and port.
     *
     * @param number of the port, or of the node port
     * @param kind {@code ClusterIP}, {@code NodePort}, {@code ExternalIP} or {@code LoadBalancer}
     * @param endpoints that take connections
     * @param state {@code ok}, or why connections fail
     */
    public record Row(ServicePort port, Ip address, int number, String kind, List<Endpoint> endpoints, String state) {
        public Row {
            endpoints = List.copyOf(endpoints);
        }

        /** {@code 10.96.0.10:80/tcp}. */
        public String frontend() {
            return new IpPort(address, number) + "/"
                    + port.name().protocol().toString().toLowerCase(Locale.ROOT);
        }

        long local() {
            return endpoints.stream().filter(Endpoint::local).count();
        }
    }

    public Frontends {
        rows = List.copyOf(rows);
    }

    /**
     * All frontends of the Services in force.
     *
     * @param namespace empty for all of them
     */
    public static Frontends of(ObjectsReport report, Optional<String> namespace) {
        List<Row> rows = new ArrayList<>();
        report.services().stream()
                .sorted(Comparator.comparing(state ->
                        state.service().map(Service::key).map(Object::toString).orElse("")))
                .forEach(state -> state.service()
                        .filter(service ->
                                namespace.isEmpty() || namespace.get().equals(service.namespace()))
                        .ifPresent(service -> rows.addAll(rows(report, state, service))));
        return new Frontends(rows);
    }

    private static List<Row> rows(ObjectsReport report, ServiceState state, Service service) {
        List<Row> rows = new ArrayList<>();
        // Topology and the node's address have no influence on whether a port is served.
        ServicePlanner planner = new ServicePlanner(report.node(), "", Optional.empty());
        String refused = report.leftOut().get(new ServiceKey(service.namespace(), service.name()));
        for (IpFamily family : IpFamily.values()) {
            ServiceView view = ServiceViews.of(service, state.slices(), family, report.node(), state.lost());
            List<PortPlan> plans = planner.plan(view).ports();
            for (int i = 0; i < plans.size(); i++) {
                PortPlan plan = plans.get(i);
                ServicePort port = plan.port();
                List<Endpoint> used = view.ports().get(i).endpoints().stream()
                        .filter(endpoint -> endpoint.ready() || isFallback(endpoint, plan))
                        .toList();
                String outside = state(refused, plan.external());
                String inside = state(refused, plan.internal());
                rows.add(new Row(port, port.clusterIp(), port.port(), "ClusterIP", used, inside));
                port.externalIps().forEach(ip -> rows.add(new Row(port, ip, port.port(), "ExternalIP", used, outside)));
                port.loadBalancerIps()
                        .forEach(ip -> rows.add(new Row(port, ip, port.port(), "LoadBalancer", used, outside)));
                if (port.nodePort() != 0) {
                    Ip any = Ip.parse(family == IpFamily.IPV4 ? "0.0.0.0" : "::");
                    rows.add(new Row(port, any, port.nodePort(), "NodePort", used, outside));
                }
            }
        }
        return rows;
    }

    /** Whether an endpoint that terminates takes connections, because no ready one does. */
    private static boolean isFallback(Endpoint endpoint, PortPlan plan) {
        return endpoint.servingTerminating()
                && plan.reachable().stream()
                        .anyMatch(backend -> backend.address().equals(endpoint.address()));
    }

    private static String state(@Nullable String refused, Handling handling) {
        if (refused != null) {
            return "refused by the kernel: " + refused;
        }
        return switch (handling) {
            case SERVE -> "ok";
            case REJECT -> "no endpoint";
            case DROP -> "no local endpoint";
        };
    }

    /** A table for people. */
    public String text() {
        if (rows.isEmpty()) {
            return "";
        }
        List<List<String>> table = new ArrayList<>();
        table.add(List.of("SERVICE", "FRONTEND", "TYPE", "STATE", "LOCAL", "ENDPOINTS"));
        for (Row row : rows) {
            int more = row.endpoints().size() - SHOWN;
            List<String> shown = new ArrayList<>(row.endpoints().stream()
                    .limit(SHOWN)
                    .map(endpoint -> endpoint.address().toString())
                    .toList());
            if (more > 0) {
                shown.add("and " + more + " more");
            }
            table.add(List.of(
                    row.port().name().toString(),
                    row.frontend(),
                    row.kind(),
                    row.state(),
                    row.local() + "/" + row.endpoints().size(),
                    String.join(" ", shown)));
        }
        return TextTable.print(table);
    }

    /** A list with an object for each frontend. */
    public Tree tree() {
        return Tree.object(
                "frontends",
                rows.stream()
                        .map(row -> Tree.object("service", row.port().name().toString())
                                .with("frontend", row.frontend())
                                .with("family", row.address().family())
                                .with("type", row.kind())
                                .with("state", row.state())
                                .with("localEndpoints", row.local())
                                .with(
                                        "endpoints",
                                        row.endpoints().stream()
                                                .map(Endpoint::address)
                                                .toList()))
                        .toList());
    }
}
