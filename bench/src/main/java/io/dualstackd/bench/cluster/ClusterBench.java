package io.dualstackd.bench.cluster;

import io.dualstackd.bench.daemon.DaemonUnderTest;
import io.dualstackd.bench.daemon.DaemonUnderTest.InForce;
import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Nodes;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Scratch;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures the daemon reading from an API server: start, memory, one change, a storm of changes. */
public final class ClusterBench {
    private static final int USUAL_SIZE = 10_000;
    private static final int STORM_RATE = 5000;
    private static final int STORM_SECONDS = 10;
    private static final int STORMS = 3;
    private static final int ENDPOINTS = 10;

    private static final String LEGEND = """
            dualstackd run --kubeconfig FILE --proxy-mode nftables, and an API server over TLS in another process, both in one network
            namespace: dual-stack Services with two slices of 10 endpoints each.
            start    from the start of the process until both families are in force; processor: of the daemon, all of its threads
            change   one endpoint of each family replaced: from the moment the server is told until both families are in force; pass:
                     what each family's log line says, from the change in memory to the kernel's acknowledgement
            restart  the same with a kernel full of rules, after one endpoint was replaced: the daemon goes on from the objects that it saved
            restored the same when the server's data was restored meanwhile, so that everything is read again, and most Services have
                     another endpoint
            storm    changes of one endpoint, each in a slice of another Service; behind: from the end of the storm until the kernel
                     holds a change that was made right after it; of storms one after the other
            monitor  the same changes and the same storm while a client watches as dualstackd monitor does: one reads; the other asks
                     again and again and reads no answer
            """;

    private ClusterBench() {}

    /** Measures one size after the other; an empty list stands for the usual size. */
    public static void run(BenchOptions options) throws Exception {
        Report report = new Report("The daemon in a cluster", options);
        report.say(LEGEND);
        for (int services : options.sizesOr(options.quick() ? USUAL_SIZE / 10 : USUAL_SIZE)) {
            one(report, services, options.quick());
        }
        if (options.write()) {
            report.write("cluster.txt");
        }
    }

    private static void one(Report report, int services, boolean quick) throws Exception {
        try (Scratch temporary = Scratch.make();
                NetNs ns = NetNs.create();
                RouteClient links = RouteClient.open(ns)) {
            links.change("lo", new LinkChange.Up());
            Path scratch = temporary.path();
            report.say("%n%,d Services, %,d slices of %d endpoints%n".formatted(services, 2 * services, ENDPOINTS));
            Report.progress("start");
            try (ServerProcess server = ServerProcess.start(ns, services, scratch);
                    DaemonUnderTest daemon =
                            DaemonUnderTest.inCluster(ns, Mode.NFTABLES, server.kubeconfig(), scratch)) {
                daemon.reportStart(report, "start");
                changes(report, server, daemon, quick ? 50 : 1000);
                storms(report, server, daemon, ns, 99, quick);
                daemon.reportMemory(report);
                watched(report, server, daemon, ns, scratch.resolve("admin.sock"), quick);
            }
            Report.progress("restart");
            try (ServerProcess server = ServerProcess.start(ns, services, scratch)) {
                try (DaemonUnderTest daemon =
                        DaemonUnderTest.inCluster(ns, Mode.NFTABLES, server.kubeconfig(), scratch)) {
                    daemon.reportStart(report, "restored");
                }
                server.tell("change 1");
                try (DaemonUnderTest daemon =
                        DaemonUnderTest.inCluster(ns, Mode.NFTABLES, server.kubeconfig(), scratch)) {
                    daemon.reportStart(report, "restart");
                }
            }
        }
    }

    private static void changes(Report report, ServerProcess server, DaemonUnderTest daemon, int count)
            throws Exception {
        Report.progress(count + " changes");
        List<Long> whole = new ArrayList<>();
        List<Long> passes = new ArrayList<>();
        for (int version = 1; version <= count; version++) {
            daemon.forget();
            long start = System.nanoTime();
            server.tell("change " + version);
            List<InForce> both = daemon.nextOfBoth();
            whole.add(both.getLast().nanos() - start);
            both.forEach(pass -> passes.add((long) (pass.passMillis() * 1e6)));
            // As in a cluster: the changes are made one after the other.
            Thread.sleep(20);
            if (version == count / 5 || version == count) {
                report.say("  change    %s; pass: %s; first %d%n"
                        .formatted(Percentiles.summary(whole), Percentiles.summary(passes), version));
            }
        }
    }

    private static void watched(
            Report report, ServerProcess server, DaemonUnderTest daemon, NetNs ns, Path socket, boolean quick)
            throws Exception {
        for (boolean reads : new boolean[] {true, false}) {
            try (Watcher watcher = reads ? Watcher.reading(socket) : Watcher.stalled(socket)) {
                report.say("  monitor, one client that %s%n".formatted(reads ? "reads" : "does not read"));
                changes(report, server, daemon, quick ? 50 : 400);
                storms(report, server, daemon, ns, reads ? 89 : 79, quick);
                report.say("  monitor   %s%n".formatted(watcher.summary()));
                daemon.reportMemory(report);
            }
        }
    }

    /** @param marker of the change that is made right after the first storm; those of the others are the numbers before it */
    private static void storms(
            Report report, ServerProcess server, DaemonUnderTest daemon, NetNs ns, int marker, boolean quick)
            throws Exception {
        int seconds = quick ? 2 : STORM_SECONDS;
        List<String> behind = new ArrayList<>();
        long longest = 0;
        for (int storm = 0; storm < (quick ? 1 : STORMS); storm++) {
            Report.progress(STORM_RATE + " changes a second for " + seconds + " s");
            server.tell("storm " + STORM_RATE + " " + seconds);
            longest = Math.max(longest, Long.parseLong(server.expect("stormed").split(" ", -1)[1]));
            behind.add(Percentiles.millis(nanosUntilInForce(server, ns, marker - storm)));
            daemon.forget();
        }
        report.say("  storm     %,d changes in %s ms; behind %s ms%n"
                .formatted(STORM_RATE * seconds, Percentiles.millis(longest), String.join(", ", behind)));
    }

    private static long nanosUntilInForce(ServerProcess server, NetNs ns, int marker) throws Exception {
        long start = System.nanoTime();
        server.tell("change " + marker);
        try (NftClient kernel = NftClient.open(ns)) {
            for (IpFamily family : IpFamily.values()) {
                while (!holds(kernel, family, Nodes.podIp(family, marker % 100 + ENDPOINTS))) {
                    Thread.sleep(1);
                }
            }
        }
        return System.nanoTime() - start;
    }

    /** Whether Service 0 has that pod as an endpoint. */
    private static boolean holds(NftClient kernel, IpFamily family, Ip pod) throws Exception {
        SetName endpoints = TableSets.name(family).set(Lane.CLUSTER.mapName());
        Bytes destination = Keys.serviceIp(Nodes.serviceIp(family, 0), Proto.TCP, 80);
        Bytes wanted = Keys.endpoint(new IpPort(pod, 8080));
        for (int slot = 0; slot < ENDPOINTS; slot++) {
            Optional<NftElement> element = kernel.element(endpoints, Keys.slot(destination, slot));
            if (element.isPresent() && element.get().data().equals(new MapData.Value(wanted))) {
                return true;
            }
        }
        return false;
    }
}
