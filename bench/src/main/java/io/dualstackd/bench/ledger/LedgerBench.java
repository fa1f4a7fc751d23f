package io.dualstackd.bench.ledger;

import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Scratch;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Implements {@code bin/bench ledger}. */
public final class LedgerBench {
    private static final int NETWORKS = 1_000;
    private static final int ONES = 200;

    private LedgerBench() {}

    public static void run(BenchOptions options) throws IOException {
        Report report = new Report("ledger", options);
        report.say("%n%-50s %10s %10s %10s%n".formatted("what", "ms", "cpu ms", "file kB"));
        for (int services : options.sizesOr(options.quick() ? 1_000 : 10_000)) {
            // The first round loads classes and is not reported.
            round(report, 100, false);
            round(report, services, true);
        }
        if (options.write()) {
            report.write("ledger.txt");
        }
    }

    private static void round(Report report, int services, boolean reported) throws IOException {
        try (Scratch scratch = Scratch.make()) {
            Path state = scratch.path();
            LedgerSettings small = settings("10.0.0.0/28,fd00::/112");
            List<Update> updates = updates(services(0, services) + cidrs());
            try (ServiceLedger ledger = ServiceLedger.open(state, small)) {
                String what = services + " Services, " + NETWORKS + " ServiceCIDRs of 14 addresses";
                measure(report, reported, state, what, () -> ledger.admit(updates));
                measure(report, reported, state, "of it, addresses alone", () -> addresses(services));
                measure(report, reported, state, "the same again", () -> ledger.admit(updates));
                measure(
                        report,
                        reported,
                        state,
                        "one more Service, mean of " + ONES,
                        ONES,
                        i -> ledger.admit(updates(services(services + i, services + i + 1))));
            }
            Clock start = Clock.now();
            try (ServiceLedger ledger = ServiceLedger.open(state, small)) {
                line(report, reported, state, "restart: the file read", start, 1);
                measure(report, reported, state, "after a restart: the same again", () -> ledger.admit(updates));
            }
            for (String network : List.of("10.0.0.0/24", "10.0.0.0/8", "fd00::/112", "fd00::/64")) {
                Path own = Files.createDirectory(state.resolve(network.replace('/', '_')));
                try (ServiceLedger ledger = ServiceLedger.open(own, settings(network))) {
                    List<Update> few = updates(services(0, 250));
                    measure(report, reported, own, "250 Services, " + network, () -> ledger.admit(few));
                }
            }
        }
    }

    /** Measures address allocation alone, without defaulting, validating, writing and decoding. */
    private static void addresses(int services) {
        AddressPool pool = new AddressPool(IpFamily.IPV4);
        for (int i = 0; i < NETWORKS; i++) {
            pool.addRange(new IpPrefix(new Ip.V4(0x0a000000 + 16 * i), 28), true);
        }
        RandomGenerator random = RandomGenerator.of("SecureRandom");
        for (int i = 0; i < services; i++) {
            if (!(pool.take(random) instanceof AddressPool.Answer.Given)) {
                throw new IllegalStateException("address " + i + " was not given");
            }
        }
    }

    private static void measure(Report report, boolean reported, Path state, String what, Runnable work)
            throws IOException {
        measure(report, reported, state, what, 1, i -> work.run());
    }

    private static void measure(Report report, boolean reported, Path state, String what, int times, IntConsumer work)
            throws IOException {
        Clock start = Clock.now();
        for (int i = 0; i < times; i++) {
            work.accept(i);
        }
        line(report, reported, state, what, start, times);
    }

    /** Times of the current thread, in nanoseconds. */
    private record Clock(long wall, long cpu) {
        static Clock now() {
            return new Clock(
                    System.nanoTime(), ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
        }
    }

    private static void line(Report report, boolean reported, Path state, String what, Clock start, int times)
            throws IOException {
        Clock end = Clock.now();
        if (reported) {
            long size = Files.size(state.resolve("ledger").resolve("ledger.log"));
            report.say("%-50s %10.2f %10.2f %10d%n"
                    .formatted(
                            what,
                            (end.wall() - start.wall()) / 1e6 / times,
                            (end.cpu() - start.cpu()) / 1e6 / times,
                            size / 1024));
        }
    }

    private static LedgerSettings settings(String ranges) {
        return new LedgerSettings(
                Stream.of(ranges.split(",", -1)).map(IpPrefix::parse).toList(), 30_000, 32_767, Semantics.KUBERNETES);
    }

    private static List<Update> updates(String yaml) {
        return Manifests.decode("bench.yaml", yaml, Dialect.WRITTEN).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList();
    }

    private static String services(int from, int to) {
        List<String> texts = new ArrayList<>();
        for (int i = from; i < to; i++) {
            texts.add("""
                    apiVersion: v1
                    kind: Service
                    metadata:
                      name: s%d
                    spec:
                      selector:
                        app: web
                      ports:
                      - name: http
                        port: 80
                        targetPort: 8080
                      - name: https
                        port: 443
                        targetPort: 8443
                    """.formatted(i));
        }
        return String.join("---\n", texts) + "---\n";
    }

    private static String cidrs() {
        List<String> texts = new ArrayList<>();
        for (int i = 1; i < NETWORKS; i++) {
            texts.add("""
                    apiVersion: networking.k8s.io/v1
                    kind: ServiceCIDR
                    metadata:
                      name: c%d
                    spec:
                      cidrs:
                      - 10.0.%d.%d/28
                    """.formatted(i, i / 16, i % 16 * 16));
        }
        return String.join("---\n", texts);
    }
}
