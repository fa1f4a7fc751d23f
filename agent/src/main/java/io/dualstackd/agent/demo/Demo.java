package io.dualstackd.agent.demo;

import io.dualstackd.agent.app.Daemon;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.nodeaddr.NodeIp;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Builds the hosts, runs the daemon on the node among them, connects to every Service on every address, and prints the results. */
public final class Demo {
    /** Thrown when there is nothing to show; the message names the folder. */
    public static final class NoServices extends IOException {
        private static final long serialVersionUID = 1;

        NoServices(String why) {
            super(why);
        }
    }

    private static final String NODE = "demo-node";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Path manifests;
    private final ProxyMode mode;
    private final int connections;
    private final PrintWriter out;

    /**
     * @param manifests folder whose Services have explicit ClusterIPs and EndpointSlices on node {@value NODE}
     * @param mode which part of the kernel they are programmed with
     * @param connections to each address
     */
    public Demo(Path manifests, ProxyMode mode, int connections, PrintWriter out) {
        this.manifests = manifests;
        this.mode = mode;
        this.connections = connections;
        this.out = out;
    }

    /**
     * Runs the whole demo.
     *
     * @return true when every connection was answered
     * @throws IOException when the hosts or the daemon cannot be created
     */
    public boolean run() throws IOException, InterruptedException {
        DemoPlan plan = plan();
        try (DemoNet net = DemoNet.create()) {
            List<DemoServer> servers = new ArrayList<>();
            try {
                NetNs visitor = net.addPod(Ip.parse("10.244.0.250"), Ip.parse("fd00:10:244::250"));
                for (DemoPlan.Pod pod : plan.pods()) {
                    NetNs ns = net.addPod(pod.ip4(), pod.ip6());
                    for (DemoPlan.Port port : pod.ports()) {
                        servers.add(DemoServer.open(ns, pod.name(), port.proto(), port.number()));
                    }
                }
                say("Hosts: a node, an outside client, %d pods, in network namespaces of their own."
                        .formatted(1 + plan.pods().size()));
                return withDaemon(net, visitor, plan);
            } finally {
                for (DemoServer server : servers) {
                    server.close();
                }
            }
        }
    }

    private boolean withDaemon(DemoNet net, NetNs visitor, DemoPlan plan) throws IOException, InterruptedException {
        // One family may be reported twice before the other is reported once.
        Set<IpFamily> ready = ConcurrentHashMap.newKeySet();
        CountDownLatch inForce = new CountDownLatch(IpFamily.values().length);
        SyncIntervals intervals = new SyncIntervals(Duration.ZERO, Duration.ofSeconds(30));
        DaemonSettings settings = DaemonSettings.builder(
                        mode, new SourceSettings.Folder(manifests.toString()), net.node(), node(), intervals)
                .build();
        try (Daemon daemon = Daemon.start(settings, status -> {
            if (status.state() == FamilyStatus.State.IN_FORCE && ready.add(status.family())) {
                inForce.countDown();
            }
        })) {
            if (!inForce.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                daemon.statuses()
                        .forEach(status ->
                                say("%s: %s %s".formatted(status.family(), status.state(), status.lastError())));
                return false;
            }
            daemon.statuses().forEach(this::printRules);
            out.println();
            List<DemoProbe.Result> results = plan.questions().stream()
                    .map(question -> probe(question, net, visitor).run(connections))
                    .toList();
            out.print(DemoTable.print(results));
            out.println();
            return verdict(results);
        }
    }

    private boolean verdict(List<DemoProbe.Result> results) {
        long failed = results.stream().filter(result -> !result.allAnswered()).count();
        int answered = results.stream().mapToInt(DemoProbe.Result::answered).sum();
        if (failed == 0) {
            say("All %d connections to %d addresses were answered. Nothing is left behind."
                    .formatted(answered, results.size()));
        } else {
            say("%d of %d addresses did not answer every connection.".formatted(failed, results.size()));
        }
        return failed == 0;
    }

    private void printRules(FamilyStatus status) {
        status.lastChange()
                .map(change -> "%s rules: %d services, %d endpoints, %d messages, %.1f kB in one transaction, %.1f ms."
                        .formatted(
                                status.family(),
                                change.report().totals().services(),
                                change.report().totals().endpoints(),
                                change.report().messages(),
                                change.report().bytes() / 1e3,
                                change.took().toNanos() / 1e6))
                .ifPresent(this::say);
    }

    private DemoProbe probe(DemoPlan.Question question, DemoNet net, NetNs visitor) {
        NetNs client = switch (question.from()) {
            case POD -> visitor;
            case NODE -> net.node();
            case OUTSIDE -> net.client();
        };
        return new DemoProbe(
                question.service(),
                question.kind(),
                question.from().toString(),
                client,
                question.proto(),
                question.destination());
    }

    private DemoPlan plan() throws IOException {
        Store store = new Store();
        ManifestFolder folder = ManifestFolder.unwatched(manifests, store);
        if (!folder.problems().isEmpty()) {
            folder.problems().forEach(problem -> say(problem.toString()));
        }
        List<DemoPlan> plans = new ArrayList<>();
        store.cursor(() -> {})
                .take()
                .ifPresent(changes -> changes.services().forEach((key, state) -> {
                    Optional<Service> service = state.service();
                    service.ifPresent(present -> plans.add(DemoPlan.of(present, state.slices(), NODE)));
                }));
        if (plans.isEmpty()) {
            throw new NoServices("no Service in " + manifests + "; give the folder of the examples with --manifests");
        }
        return DemoPlan.all(plans);
    }

    private static NodeSettings node() {
        return new NodeSettings(
                NODE,
                Optional.empty(),
                Optional.of(NodeIps.of(new NodeIp.Exact(DemoNet.NODE_4), new NodeIp.Exact(DemoNet.NODE_6))),
                new DetectLocal.ClusterCidr(
                        List.of(IpPrefix.parse("10.244.0.0/24"), IpPrefix.parse("fd00:10:244::/64"))),
                NodePortAddresses.ALL,
                false,
                14,
                false,
                true);
    }

    private void say(String text) {
        out.println(text);
        out.flush();
    }
}
