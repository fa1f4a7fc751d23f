package io.dualstackd.bench;

import io.dualstackd.bench.cluster.ClusterBench;
import io.dualstackd.bench.cluster.IdleBench;
import io.dualstackd.bench.cluster.SimulatedServer;
import io.dualstackd.bench.daemon.DaemonBench;
import io.dualstackd.bench.daemon.PodsBench;
import io.dualstackd.bench.dns.DnsBench;
import io.dualstackd.bench.latency.LatencyBench;
import io.dualstackd.bench.ledger.LedgerBench;
import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.scale.ScaleBench;
import java.util.List;
import java.util.Locale;

/** The main class of the benchmark, started by {@code bin/bench}. */
public final class Bench {
    private static final String USAGE = """
        usage: bin/bench [--write] [--quick] [--mode iptables|nftables] [SERVICES...]
               bin/bench [--write] [--quick] [--mode iptables|nftables] latency
               bin/bench [--write] [--quick] [--mode iptables|nftables] daemon [SERVICES]
               bin/bench [--write] [--quick] pods [PODS]
               bin/bench [--write] [--quick] ledger [SERVICES]
               bin/bench [--write] [--quick] cluster [SERVICES]
               bin/bench [--write] [--quick] idle [SERVICES]
               bin/bench [--write] [--quick] dns [SERVICES]
        """;

    private Bench() {}

    /** Runs the command line; {@code child WHAT ARGUMENTS...} is used for the JVMs that the benchmark starts. */
    public static void main(String[] args) throws Exception {
        // Numbers look the same everywhere.
        Locale.setDefault(Locale.ROOT);
        List<String> all = List.of(args);
        if (!all.isEmpty() && all.getFirst().equals("child")) {
            measure(all.get(1), all.subList(2, all.size()));
            return;
        }
        try {
            run(BenchOptions.read(all));
        } catch (BenchOptions.Wrong e) {
            System.err.print(e.getMessage() + "\n" + USAGE);
            System.exit(2);
        }
    }

    private static void run(BenchOptions benchOptions) throws Exception {
        switch (benchOptions.what()) {
            case SCALE -> ScaleBench.run(benchOptions);
            case LATENCY -> LatencyBench.run(benchOptions);
            case PODS -> PodsBench.run(benchOptions);
            case LEDGER -> LedgerBench.run(benchOptions);
            case CLUSTER -> ClusterBench.run(benchOptions);
            case IDLE -> IdleBench.run(benchOptions);
            case DAEMON -> DaemonBench.run(benchOptions);
            case DNS -> DnsBench.run(benchOptions);
        }
    }

    private static void measure(String what, List<String> arguments) throws Exception {
        switch (what) {
            case ScaleBench.CHILD -> ScaleBench.measure(arguments);
            case SimulatedServer.CHILD -> SimulatedServer.main(arguments);
            case LatencyBench.CHILD -> LatencyBench.measure(arguments);
            default -> throw new IllegalArgumentException("no measurement " + what);
        }
    }
}
