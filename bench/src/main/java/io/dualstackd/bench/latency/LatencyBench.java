package io.dualstackd.bench.latency;

import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.measure.FreshJvm;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures one table: rule sets, families and protocols. Each rule set has a JVM and namespaces of its own. */
public final class LatencyBench {
    /** The name of the measurement in the child JVM. */
    public static final String CHILD = "latency";

    private static final String LEGEND = """
            A client pod, its node and the pods of the services are network namespaces; every measurement is a new connection
            to the ClusterIP of a service drawn by lot. Only the first packet of a connection meets the rules.
            TCP     from the first packet to the answer of the pod's kernel, microseconds
            UDP     from the question to the answer of the pod's process, whose waking up is part of it
            counts  how many different numbers of endpoints the services have; in nftables mode each is one rule
            """;

    private LatencyBench() {}

    /** A rule set to be measured; no Services means no rules at all, and connections to the pod itself. */
    record Setting(Mode mode, int services, int counts) {
        List<String> arguments(boolean quick) {
            return List.of(mode.name(), Integer.toString(services), Integer.toString(counts), Boolean.toString(quick));
        }

        static Setting of(List<String> arguments) {
            return new Setting(
                    Mode.valueOf(arguments.getFirst()),
                    Integer.parseInt(arguments.get(1)),
                    Integer.parseInt(arguments.get(2)));
        }

        @Override
        public String toString() {
            return services == 0
                    ? String.format("%-10s %9s %7s", "no rules", "-", "-")
                    : String.format("%-10s %,9d %7d", mode, services, counts);
        }
    }

    /** Measures the whole table. */
    public static void run(BenchOptions options) throws IOException, InterruptedException {
        Report report = new Report("Latency of the first packet", options);
        report.say(LEGEND + "\n" + LatencyRun.head());
        for (Setting setting : settings(options.modes(), options.quick())) {
            Report.progress(setting.toString());
            report.say(FreshJvm.measure(CHILD, setting.arguments(options.quick())));
        }
        if (options.write()) {
            report.write("latency.txt");
        }
    }

    private static List<Setting> settings(List<Mode> modes, boolean quick) {
        List<Setting> settings = new ArrayList<>();
        settings.add(new Setting(modes.getFirst(), 0, 1));
        for (Mode mode : modes) {
            settings.add(new Setting(mode, 10, 1));
            settings.add(new Setting(mode, quick ? 1000 : 10_000, 1));
        }
        if (modes.contains(Mode.NFTABLES)) {
            settings.add(new Setting(Mode.NFTABLES, 1000, 1));
            settings.add(new Setting(Mode.NFTABLES, 1000, 10));
            settings.add(new Setting(Mode.NFTABLES, 1000, 100));
        }
        return settings;
    }

    /** Runs in the child JVM: {@code MODE SERVICES COUNTS QUICK}. */
    public static void measure(List<String> arguments) throws Exception {
        new LatencyRun(Setting.of(arguments), Boolean.parseBoolean(arguments.get(3)) ? 1000 : 10_000).run();
    }
}
