package io.dualstackd.bench;

import io.dualstackd.bench.Line.Measured;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** {@code bin/bench [SERVICES...]}: iptables mode at each size with 10 endpoints per Service and family. */
public final class Bench {
    private static final int ENDPOINTS = 10;
    private static final int REPEATS = 50;

    private Bench() {}

    public static void main(String[] args) throws Exception {
        List<Integer> sizes = args.length == 0
                ? List.of(100, 1000)
                : Arrays.stream(args).map(Integer::valueOf).toList();
        System.out.println("iptables mode, " + ENDPOINTS + " endpoints per service and family; kernel "
                + System.getProperty("os.version") + ", " + Runtime.getRuntime().availableProcessors() + " cores, Java "
                + Runtime.version().feature());
        System.out.println("raw = the same bytes, pre-encoded, in one send into a twin namespace: the limit");
        System.out.println();
        BenchTable table = new BenchTable();
        for (int size : sizes) {
            bothFirst(size, table);
            for (IpFamily family : IpFamily.values()) {
                one(new Cluster(family, size, ENDPOINTS), table);
            }
        }
        System.out.print(table.print());
        System.out.println();
        System.out.println("resident memory of this process: " + residentKb() / 1024 + " MB");
    }

    /** Both families at once, as the daemon does it, in a JVM that has just started. */
    private static void bothFirst(int size, BenchTable table) throws Exception {
        try (NetNs ns = NetNs.create();
                NetNs twin = NetNs.create();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Line> lines = new ArrayList<>();
            for (IpFamily family : IpFamily.values()) {
                lines.add(new Line(new Cluster(family, size, ENDPOINTS), ns, twin));
            }
            table.add(
                    size,
                    "both",
                    "first load" + (table.isEmpty() ? " (cold JVM)" : ""),
                    List.of(together(
                            threads,
                            lines,
                            line -> () -> line.runUntilInForce(line.cluster().all()))));
            table.add(size, "both", "restart, kernel right", List.of(together(threads, lines, line -> line::restart)));
            List<Measured> replaced = new ArrayList<>();
            for (int i = 0; i < REPEATS; i++) {
                int n = i % size;
                List<Integer> which = List.of(i % ENDPOINTS);
                replaced.add(together(
                        threads,
                        lines,
                        line -> () -> line.runUntilInForce(change(line.cluster().service(n, which)))));
            }
            table.add(size, "both", "replace one endpoint", replaced);
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
        long cpu = 0;
        int messages = 0;
        long bytes = 0;
        long allocated = 0;
        for (Future<Measured> future : futures) {
            Measured one = future.get();
            cpu += one.cpuNanos();
            messages += one.messages();
            bytes += one.bytes();
            allocated += one.allocated();
        }
        return new Measured(System.nanoTime() - start, cpu, 0, messages, bytes, allocated);
    }

    private static void one(Cluster cluster, BenchTable table) throws Exception {
        String family = cluster.family().toString();
        int size = cluster.services();
        try (NetNs ns = NetNs.create();
                NetNs twin = NetNs.create();
                Line line = new Line(cluster, ns, twin)) {
            table.add(size, family, "first load", List.of(line.run(cluster.all(), true)));
            List<Measured> restarts = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                restarts.add(line.restart());
            }
            table.add(size, family, "restart, kernel right", restarts);
            List<Measured> replaced = new ArrayList<>();
            List<Measured> added = new ArrayList<>();
            List<Measured> removed = new ArrayList<>();
            List<Measured> gone = new ArrayList<>();
            List<Measured> back = new ArrayList<>();
            for (int i = 0; i < REPEATS; i++) {
                int n = i % size;
                replaced.add(line.run(change(cluster.service(n, List.of(i % ENDPOINTS))), true));
                line.run(change(cluster.service(n, List.of())), true);
                added.add(line.run(change(cluster.withEndpoints(n, ENDPOINTS + 1)), true));
                removed.add(line.run(change(cluster.withEndpoints(n, ENDPOINTS)), true));
                gone.add(line.run(Map.of(Cluster.key(n), Optional.empty()), true));
                back.add(line.run(change(cluster.service(n, List.of())), true));
            }
            table.add(size, family, "replace one endpoint", replaced);
            table.add(size, family, "add one endpoint", added);
            table.add(size, family, "remove one endpoint", removed);
            table.add(size, family, "remove one service", gone);
            table.add(size, family, "add one service", back);
        }
    }

    private static Map<ServiceKey, Optional<ServiceView>> change(ServiceView view) {
        return Map.of(view.key(), Optional.of(view));
    }

    private static long residentKb() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }
}
