package io.dualstackd.bench;

import io.dualstackd.bench.cluster.ClusterBench;
import io.dualstackd.bench.cluster.PlayedServer;
import io.dualstackd.bench.daemon.DaemonBench;
import io.dualstackd.bench.daemon.PodsBench;
import io.dualstackd.bench.latency.LatencyBench;
import io.dualstackd.bench.ledger.LedgerBench;
import io.dualstackd.bench.scale.ScaleBench;
import java.util.List;

/** The command line of the benchmark; {@code bin/bench} is the way to start it. */
public final class Bench {
    private static final String USAGE = """
        usage: bin/bench [--write] [--quick] [--mode iptables|nftables] [SERVICES...]
               bin/bench [--write] [--quick] latency
               bin/bench [--write] [--quick] daemon [SERVICES]
               bin/bench [--write] [--quick] pods [PODS]
               bin/bench [--write] [--quick] ledger [SERVICES]
               bin/bench [--write] [--quick] cluster [SERVICES]
        """;

    private Bench() {}

    /** {@code child WHAT ARGUMENTS...} is how it starts itself. */
    public static void main(String[] args) throws Exception {
        List<String> all = List.of(args);
        if (!all.isEmpty() && all.getFirst().equals("child")) {
            measure(all.get(1), all.subList(2, all.size()));
            return;
        }
        try {
            run(Options.read(all));
        } catch (Options.Wrong e) {
            System.err.print(e.getMessage() + "\n" + USAGE);
            System.exit(2);
        }
    }

    private static void run(Options options) throws Exception {
        switch (options.what()) {
            case SCALE -> ScaleBench.run(options.modes(), options.sizes(), options.quick(), options.write());
            case LATENCY -> LatencyBench.run(options.modes(), options.quick(), options.write());
            case PODS -> PodsBench.run(options.sizes(), options.quick(), options.write());
            case LEDGER -> LedgerBench.run(options.sizes(), options.quick(), options.write());
            case CLUSTER -> ClusterBench.run(options.sizes(), options.quick(), options.write());
            case DAEMON -> DaemonBench.run(options.modes(), options.sizes(), options.quick(), options.write());
        }
    }

    private static void measure(String what, List<String> arguments) throws Exception {
        switch (what) {
            case ScaleBench.CHILD -> ScaleBench.measure(arguments);
            case PlayedServer.CHILD -> PlayedServer.main(arguments);
            case LatencyBench.CHILD -> LatencyBench.measure(arguments);
            default -> throw new IllegalArgumentException("no measurement " + what);
        }
    }
}
