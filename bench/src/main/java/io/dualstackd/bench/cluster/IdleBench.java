package io.dualstackd.bench.cluster;

import io.dualstackd.bench.daemon.DaemonUnderTest;
import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Scratch;
import io.dualstackd.bench.measure.ThreadTimes;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;
import java.util.Locale;

/** Measures a daemon in a cluster in which nothing changes: its processor time, how often its threads run, its memory. */
public final class IdleBench {
    private static final int USUAL_SIZE = 20;
    private static final int MINUTES = 4;
    private static final int THREADS = 6;

    private static final String LEGEND = """
            dualstackd run --kubeconfig FILE --proxy-mode nftables, and an API server that sends nothing but a bookmark a minute.
            processor: of all threads, in percent of one core; runs: how often any thread was scheduled, a second; then the
            threads that used most, with their milliseconds and how often each ran in the whole minute
            """;

    private IdleBench() {}

    /** Measures one size after the other; an empty list stands for the usual size. */
    public static void run(BenchOptions options) throws Exception {
        Report report = new Report("The idle daemon", options);
        report.say(LEGEND);
        for (int services : options.sizesOr(USUAL_SIZE)) {
            one(report, services, options.quick() ? 2 : MINUTES);
        }
        if (options.write()) {
            report.write("idle.txt");
        }
    }

    private static void one(Report report, int services, int minutes) throws Exception {
        try (Scratch temporary = Scratch.make();
                NetNs ns = NetNs.create();
                RouteClient links = RouteClient.open(ns)) {
            links.change("lo", new LinkChange.Up());
            Path scratch = temporary.path();
            report.say("%n%,d Services of two families with 10 endpoints each%n".formatted(services));
            try (ServerProcess server = ServerProcess.start(ns, services, scratch);
                    DaemonUnderTest daemon =
                            DaemonUnderTest.inCluster(ns, Mode.NFTABLES, server.kubeconfig(), scratch)) {
                daemon.reportStart(report, "start");
                for (int minute = 1; minute <= minutes; minute++) {
                    Report.progress("minute " + minute + " of " + minutes);
                    minute(report, daemon, minute);
                }
                daemon.reportMemory(report);
            }
        }
    }

    private static void minute(Report report, DaemonUnderTest daemon, int minute) throws Exception {
        ThreadTimes before = daemon.times();
        long start = System.nanoTime();
        Thread.sleep(60_000);
        double seconds = (System.nanoTime() - start) / 1e9;
        ThreadTimes used = daemon.times().since(before);
        long runs = used.turns().values().stream().mapToLong(Long::longValue).sum();
        report.say(String.format(
                Locale.ROOT,
                "  minute %d  processor %.3f %%; %.1f runs a second; %s%n",
                minute,
                used.total() / 1e7 / seconds,
                runs / seconds,
                used.top(THREADS)));
    }
}
