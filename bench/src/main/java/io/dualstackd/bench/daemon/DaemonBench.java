package io.dualstackd.bench.daemon;

import io.dualstackd.bench.daemon.DaemonUnderTest.InForce;
import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Scratch;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures the daemon alone: start, restart, one changed file, memory. */
public final class DaemonBench {
    private static final int USUAL_SIZE = 10_000;
    private static final int USUAL_SIZE_IPTABLES = 1000;

    private static final String LEGEND = """
            dualstackd run --standalone in a network namespace of its own, with dual-stack services of 10 endpoints per family
            in files of 100, and the two slices of one service in a file of their own.
            start    from the start of the process until both families are in force, the reading of the files included;
                     processor: of the daemon, all of its threads
            restart  the same with the kernel already right
            pass     what each family's log line says: from the change in memory to the kernel's acknowledgement
            change   one endpoint of each family replaced in the small file: from the rename until both families are in force
            repairs  how often a line took a change of ours for another program's and compared everything: ought to be 0
            """;

    private DaemonBench() {}

    /** Prints one table per mode and size; an empty list of sizes stands for the usual one. */
    public static void run(BenchOptions options) throws Exception {
        Report report = new Report("The whole daemon", options);
        report.say(LEGEND);
        for (Mode mode : options.modes()) {
            for (int services : options.sizesOr(usualSize(mode, options.quick()))) {
                one(report, mode, services, options.quick() ? 20 : 200);
            }
        }
        if (options.write()) {
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
        try (Scratch temporary = Scratch.make();
                NetNs ns = NetNs.create()) {
            Path scratch = temporary.path();
            Folder folder = new Folder(scratch.resolve("manifests"), services);
            folder.write();
            report.say("%n%s mode, %,d services x 10 endpoints x 2 families, %,d kB of manifests%n"
                    .formatted(mode, services, folder.bytes() / 1000));
            Report.progress("start");
            try (DaemonUnderTest daemon = DaemonUnderTest.start(ns, mode, folder, scratch, List.of())) {
                daemon.reportStart(report, "start");
                changes(report, daemon, folder, changes);
                daemon.reportMemory(report);
            }
            Report.progress("restart");
            try (DaemonUnderTest daemon = DaemonUnderTest.start(ns, mode, folder, scratch, List.of())) {
                daemon.reportStart(report, "restart");
            }
        }
    }

    private static void changes(Report report, DaemonUnderTest daemon, Folder folder, int count) throws Exception {
        Report.progress(count + " changes");
        List<Long> whole = new ArrayList<>();
        List<Long> passes = new ArrayList<>();
        int repairs = 0;
        for (int version = 1; version <= count; version++) {
            daemon.forget();
            long start = System.nanoTime();
            folder.change(version);
            List<InForce> both = daemon.nextOfBoth();
            whole.add(both.getLast().nanos() - start);
            for (InForce pass : both) {
                passes.add((long) (pass.passMillis() * 1e6));
                repairs += pass.repaired() ? 1 : 0;
            }
        }
        report.say("  change    %s; pass: %s; %d times, %d repairs%n"
                .formatted(Percentiles.summary(whole), Percentiles.summary(passes), count, repairs));
    }
}
