package io.dualstackd.bench.daemon;

import io.dualstackd.bench.daemon.DaemonUnderTest.InForce;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Resident;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Measures the daemon alone: start, restart, one changed file, memory. */
public final class DaemonBench {
    private static final int USUAL_SIZE = 10_000;
    private static final int USUAL_SIZE_IPTABLES = 1000;

    private static final String LEGEND = """
            dualstackd run --standalone in a network namespace of its own, with dual-stack services of 10 endpoints per family
            in files of 100, and the two slices of one service in a file of their own.
            start    from the start of the process until both families are in force, the reading of the files included
            restart  the same with the kernel already right
            pass     what each family's log line says: from the change in memory to the kernel's acknowledgement
            change   one endpoint of each family replaced in the small file: from the rename until both families are in force
            repairs  how often a line took a change of ours for somebody else's and compared everything: ought to be 0
            """;

    private DaemonBench() {}

    /** Prints one table per mode and size; an empty list of sizes stands for the usual one. */
    public static void run(List<Mode> modes, List<Integer> sizes, boolean quick, boolean write) throws Exception {
        Report report = new Report("The whole daemon", "bin/bench --write daemon");
        report.say(LEGEND);
        for (Mode mode : modes) {
            for (int services : sizes.isEmpty() ? List.of(usualSize(mode, quick)) : sizes) {
                one(report, mode, services, quick ? 20 : 200);
            }
        }
        if (write) {
            report.write("daemon.txt");
        }
    }

    private static int usualSize(Mode mode, boolean quick) {
        int usual = switch (mode) {
            case NFTABLES -> USUAL_SIZE;
            case IPTABLES -> USUAL_SIZE_IPTABLES;
        };
        return quick ? usual / 10 : usual;
    }

    private static void one(Report report, Mode mode, int services, int changes) throws Exception {
        Path scratch = Files.createTempDirectory("dualstackd-bench");
        try (NetNs ns = NetNs.create()) {
            Folder folder = new Folder(scratch.resolve("manifests"), services);
            folder.write();
            report.say(String.format(
                    Locale.ROOT,
                    "%n%s mode, %,d services x 10 endpoints x 2 families, %,d kB of manifests%n",
                    mode,
                    services,
                    folder.bytes() / 1000));
            Report.progress("start");
            try (DaemonUnderTest daemon = DaemonUnderTest.start(ns, mode, folder, scratch)) {
                untilInForce(report, "start", daemon);
                changes(report, daemon, folder, changes);
                Resident end = daemon.resident();
                report.say(String.format(
                        Locale.ROOT,
                        "  memory    %d MB at most, %d MB in the end%n",
                        end.peak() >> 20,
                        end.now() >> 20));
            }
            Report.progress("restart");
            try (DaemonUnderTest daemon = DaemonUnderTest.start(ns, mode, folder, scratch)) {
                untilInForce(report, "restart", daemon);
            }
        } finally {
            delete(scratch);
        }
    }

    private static void untilInForce(Report report, String what, DaemonUnderTest daemon) throws Exception {
        List<InForce> both = List.of(daemon.next(), daemon.next());
        long last = both.getLast().nanos();
        Resident memory = daemon.resident();
        report.say(String.format(
                Locale.ROOT,
                "  %-8s  %s ms; pass: %s; %d MB at most, %d MB then%n",
                what,
                Percentiles.millis(last - daemon.started()),
                String.join(", ", both.stream().map(DaemonBench::pass).toList()),
                memory.peak() >> 20,
                memory.now() >> 20));
    }

    private static String pass(InForce said) {
        return String.format(
                Locale.ROOT, "%s %.1f ms, %,d messages", said.family(), said.passMillis(), said.messages());
    }

    private static void changes(Report report, DaemonUnderTest daemon, Folder folder, int count) throws Exception {
        Report.progress(count + " changes");
        List<Long> whole = new ArrayList<>();
        List<Long> passes = new ArrayList<>();
        int repairs = 0;
        for (int version = 1; version <= count; version++) {
            long start = System.nanoTime();
            folder.change(version);
            for (InForce said : List.of(daemon.next(), daemon.next())) {
                passes.add((long) (said.passMillis() * 1e6));
                repairs += said.repaired() ? 1 : 0;
                if (passes.size() % 2 == 0) {
                    whole.add(said.nanos() - start);
                }
            }
        }
        report.say(String.format(
                Locale.ROOT,
                "  change    p50 %s ms, p99 %s ms; pass: p50 %s ms, p99 %s ms; %d times, %d repairs%n",
                Percentiles.millis(Percentiles.percentile(whole, nanos -> nanos, 50)),
                Percentiles.millis(Percentiles.percentile(whole, nanos -> nanos, 99)),
                Percentiles.millis(Percentiles.percentile(passes, nanos -> nanos, 50)),
                Percentiles.millis(Percentiles.percentile(passes, nanos -> nanos, 99)),
                count,
                repairs));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
