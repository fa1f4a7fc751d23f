package io.dualstackd.bench.scale;

import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.measure.FreshJvm;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.netlink.ip.IpFamily;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Measures tables of every mode and size. Each family, and both together, has a JVM of its own. */
public final class ScaleBench {
    /** The name of the measurement in the child JVM. */
    public static final String CHILD = "scale";

    private static final String BOTH = "both";
    private static final int ENDPOINTS = 10;

    private static final String LEGEND = """
            Each family, and both in parallel, in a fresh JVM with the daemon's flags; it rehearses, then does the first load.
            Between single changes the young generation is collected when it is half full, as the daemon does when nothing waits.
            p50, p99  of so many times, from what is wanted to the kernel's acknowledgement
            cpu       processor time of the threads, the kernel's work for them included
            raw       the same bytes, made beforehand, in one send into a twin namespace: what the kernel alone takes
            %-9s the same change through %s, from a text made beforehand; a start of the process included
            sent      bytes sent to the kernel; heap: bytes allocated by the threads
            """;

    private ScaleBench() {}

    /** Measures every table of the given modes; an empty list of sizes stands for the usual ones. */
    public static void run(BenchOptions options) throws IOException, InterruptedException {
        for (Mode mode : options.modes()) {
            Report report = new Report(mode + " mode at scale", command(mode, options));
            report.say(LEGEND.formatted(rival(mode), rivalCommand(mode)) + limits(mode));
            for (int services : options.sizesOr(usualSizes(mode, options.quick()))) {
                report.say("\n" + Percentiles.grouped(services) + " services x " + ENDPOINTS + " endpoints\n"
                        + FigureTable.head(rival(mode)));
                for (String families : List.of("IPv4", "IPv6", BOTH)) {
                    report.say(FreshJvm.measure(
                            CHILD,
                            List.of(
                                    mode.name(),
                                    families,
                                    Integer.toString(services),
                                    Boolean.toString(options.quick()))));
                }
            }
            if (options.write()) {
                report.write(mode + ".txt");
            }
        }
    }

    /** Runs in the child JVM: {@code MODE FAMILIES SERVICES QUICK}. */
    public static void measure(List<String> arguments) throws Exception {
        Mode mode = Mode.valueOf(arguments.getFirst());
        String families = arguments.get(1);
        int services = Integer.parseInt(arguments.get(2));
        boolean quick = Boolean.parseBoolean(arguments.get(3));
        List<IpFamily> which = families.equals(BOTH)
                ? List.of(IpFamily.values())
                : List.of(families.equals("IPv4") ? IpFamily.IPV4 : IpFamily.IPV6);
        try (Testbed bed = new Testbed(mode, which, services, ENDPOINTS)) {
            new ScaleRun(bed, plan(mode, services, quick), families).run();
        }
    }

    private static ScaleRun.Plan plan(Mode mode, int services, boolean quick) {
        boolean rival = services <= rivalLimit(mode, quick);
        return quick
                ? new ScaleRun.Plan(
                        1,
                        new ScaleRun.Rounds(2, 200, Duration.ofSeconds(1), 1),
                        new ScaleRun.Rounds(1, 3, Duration.ofSeconds(1), 1),
                        rival)
                : new ScaleRun.Plan(
                        3,
                        new ScaleRun.Rounds(5, 500, Duration.ofSeconds(6), 5),
                        new ScaleRun.Rounds(2, 20, Duration.ofSeconds(3), 2),
                        rival);
    }

    private static Integer[] usualSizes(Mode mode, boolean quick) {
        return switch (mode) {
            case NFTABLES -> quick ? new Integer[] {100, 1000} : new Integer[] {100, 1000, 10_000, 50_000};
            case IPTABLES -> quick ? new Integer[] {100} : new Integer[] {100, 1000, 5000, 10_000};
        };
    }

    /** The largest number of Services at which the usual program is measured; beyond it, one row would take minutes. */
    private static int rivalLimit(Mode mode, boolean quick) {
        return switch (mode) {
            case NFTABLES -> quick ? 10_000 : 50_000;
            case IPTABLES -> 1000;
        };
    }

    private static String rival(Mode mode) {
        return switch (mode) {
            case NFTABLES -> "nft";
            case IPTABLES -> "restore";
        };
    }

    private static String rivalCommand(Mode mode) {
        return switch (mode) {
            case NFTABLES -> "nft -f -";
            case IPTABLES -> "iptables-restore --noflush";
        };
    }

    private static String limits(Mode mode) {
        return switch (mode) {
            case NFTABLES -> "";
            case IPTABLES -> """
                    Every transaction makes the kernel walk all rules, so one change of 10,000 services takes about ten times as long as one
                    of 1,000. iptables-restore is not measured beyond 1,000: a first load takes it minutes.
                    """;
        };
    }

    private static String command(Mode mode, BenchOptions options) {
        StringBuilder command = new StringBuilder("bin/bench --write");
        if (options.quick()) {
            command.append(" --quick");
        }
        if (!options.sizes().isEmpty()) {
            command.append(" --mode ").append(mode);
            options.sizes().forEach(size -> command.append(' ').append(size));
        }
        return command.toString();
    }
}
