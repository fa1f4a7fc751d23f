package io.dualstackd.bench;

import io.dualstackd.bench.Line.Measured;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Iptables mode with 10 endpoints per Service and family; {@code bin/bench} is the way to start it. */
public final class Bench {
    private static final int ENDPOINTS = 10;
    private static final int REPEATS = 50;

    private final int services;
    private final BenchTable table = new BenchTable();

    private Bench(int services) {
        this.services = services;
    }

    /** {@code both SERVICES}, which wants a JVM of its own, or {@code each SERVICES}. */
    public static void main(String[] args) throws Exception {
        Bench bench = new Bench(Integer.parseInt(args[1]));
        String size = args[1] + " services x " + ENDPOINTS + " endpoints, ";
        if (args[0].equals("both")) {
            bench.both();
            System.out.println(size + "both families in parallel, a fresh JVM with the daemon's flags and -Xmx96m");
            System.out.print(bench.table.print());
            System.out.println("peak resident memory " + peakResidentMegabytes() + " MB, live heap in the end "
                    + liveHeapMegabytes() + " MB");
        } else {
            for (IpFamily family : IpFamily.values()) {
                bench.one(family);
            }
            System.out.println(size + "one family at a time");
            System.out.print(bench.table.print());
        }
    }

    /** Both families at once, as the daemon does it. */
    private void both() throws Exception {
        try (NetNs ns = NetNs.create();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Line> lines = new ArrayList<>();
            for (IpFamily family : IpFamily.values()) {
                lines.add(new Line(new Cluster(family, services, ENDPOINTS), ns));
            }
            table.add("both", "first load", List.of(together(threads, lines, line -> line::load)));
            table.add("both", "restart, kernel right", List.of(together(threads, lines, line -> line::restart)));
            List<Measured> replaced = new ArrayList<>();
            for (int i = 0; i < REPEATS; i++) {
                int n = i % services;
                List<Integer> which = List.of(i % ENDPOINTS);
                replaced.add(together(
                        threads,
                        lines,
                        line -> () -> line.run(change(line.cluster().service(n, which)))));
            }
            table.add("both", "replace one endpoint", replaced);
            lines.forEach(Line::close);
        }
    }

    private interface Work {
        Callable<Measured> of(Line line);
    }

    private static Measured together(ExecutorService threads, List<Line> lines, Work work) throws Exception {
        long start = System.nanoTime();
        List<Future<Measured>> futures = new ArrayList<>();
        for (Line line : lines) {
            futures.add(threads.submit(work.of(line)));
        }
        Measured sum = Measured.NOTHING;
        for (Future<Measured> future : futures) {
            sum = sum.plus(future.get());
        }
        return sum.within(System.nanoTime() - start);
    }

    private void one(IpFamily family) throws Exception {
        Cluster cluster = new Cluster(family, services, ENDPOINTS);
        try (NetNs ns = NetNs.create();
                NetNs twin = NetNs.create();
                Line line = new Line(cluster, ns, twin);
                Restore restore = Restore.into(cluster)) {
            table.add(family.toString(), "first load", List.of(line.load()), restore.load());
            List<Measured> restarts = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                restarts.add(line.restart());
            }
            table.add(family.toString(), "restart, kernel right", restarts);
            changes(line, restore, family.toString());
        }
    }

    private void changes(Line line, Restore restore, String family) throws Exception {
        Cluster cluster = line.cluster();
        List<Measured> replaced = new ArrayList<>();
        List<Measured> added = new ArrayList<>();
        List<Measured> removed = new ArrayList<>();
        List<Measured> gone = new ArrayList<>();
        List<Measured> back = new ArrayList<>();
        List<Long> restored = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
            int n = i % services;
            ServiceView before = cluster.service(n, List.of());
            ServiceView changed = cluster.service(n, List.of(i % ENDPOINTS));
            replaced.add(line.run(change(changed)));
            line.run(change(before));
            added.add(line.run(change(cluster.withEndpoints(n, ENDPOINTS + 1))));
            removed.add(line.run(change(cluster.withEndpoints(n, ENDPOINTS))));
            gone.add(line.run(Map.of(Cluster.key(n), Optional.empty())));
            back.add(line.run(change(before)));
            restore.replace(before, changed).ifPresent(restored::add);
            restore.replace(changed, before);
        }
        table.add(family, "replace one endpoint", replaced, restored);
        table.add(family, "add one endpoint", added);
        table.add(family, "remove one endpoint", removed);
        table.add(family, "remove one service", gone);
        table.add(family, "add one service", back);
    }

    private static Map<ServiceKey, Optional<ServiceView>> change(ServiceView view) {
        return Map.of(view.key(), Optional.of(view));
    }

    private static long peakResidentMegabytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("VmHWM:"))
                        .map(line -> line.replaceAll("\\D", ""))
                        .mapToLong(Long::parseLong)
                        .findFirst()
                        .orElse(0)
                / 1024;
    }

    private static long liveHeapMegabytes() {
        var memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed() >> 20;
    }
}
