package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.CountingTransport.Counts;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a change costs, counted, not timed: it must not depend on how many other Services there are. */
@Tag("kernel")
final class WorkPerChangeTest {
    private static final int FEW = 50;
    private static final int MANY = 1000;
    private static final int ENDPOINTS = 10;

    /** Eleven rules of the Service, two of the new endpoint, four steps for chains, begin and end. */
    private static final int MESSAGES = 11 + 2 + 4 + 2;

    private static final long BYTES = 10_000;
    private static final long ALLOCATED = 200_000;

    private static Map<ServiceKey, Optional<ServiceView>> all(IpFamily family, int services) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < services; n++) {
            ServiceView view = Samples.service(family, n, ENDPOINTS);
            all.put(view.key(), Optional.of(view));
        }
        return all;
    }

    /** Service 7 with its fourth endpoint replaced by the {@code round}-th other one. */
    private static Map<ServiceKey, Optional<ServiceView>> oneEndpoint(IpFamily family, int round) {
        ServiceView before = Samples.service(family, 7, ENDPOINTS);
        List<Endpoint> endpoints = new ArrayList<>(before.ports().getFirst().endpoints());
        endpoints.set(3, Samples.endpoint(Samples.podIp(family, 9, 100 + round), 8080));
        ServiceView after = Samples.service(family, 7, endpoints, Affinity.NONE);
        return Map.of(after.key(), Optional.of(after));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void oneEndpointIsTheSameFewMessagesHoweverManyServices(IpFamily family) throws Exception {
        Counts few = sentForOneEndpoint(family, FEW);
        assertThat(few.batches()).isEqualTo(1);
        assertThat(few.messages()).isEqualTo(MESSAGES);
        assertThat(few.bytes()).isLessThan(BYTES);
        assertThat(sentForOneEndpoint(family, MANY)).isEqualTo(few);
    }

    private static Counts sentForOneEndpoint(IpFamily family, int services) throws Exception {
        NodeView node = Samples.node(family);
        try (NetNs ns = FreshNetNs.create()) {
            CountingTransport transport = new CountingTransport(NlSocket.open(NlProtocol.NETFILTER, ns));
            try (ViewSyncer pass = new ViewSyncer(IptablesSyncer.of(family, () -> transport))) {
                inForce(pass.run(node, all(family, services)));
                transport.take();
                SyncResult report = inForce(pass.run(node, oneEndpoint(family, 0)));
                Counts sent = transport.take();
                assertThat(report.messages()).isEqualTo(sent.messages() - 2);
                return sent;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aRestartSendsNothingThatChangesRules(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer first =
                        new ViewSyncer(IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)))) {
            inForce(first.run(node, all(family, FEW)));
            CountingTransport transport = new CountingTransport(NlSocket.open(NlProtocol.NETFILTER, ns));
            try (ViewSyncer again = new ViewSyncer(IptablesSyncer.of(family, () -> transport))) {
                SyncResult report = inForce(again.run(node, all(family, FEW)));
                assertThat(report.comparedAll()).isTrue();
                assertThat(transport.take()).isEqualTo(Counts.NOTHING);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void oneEndpointAllocatesTheSameHoweverManyServices(IpFamily family) {
        long few = allocatedForOneEndpoint(family, FEW);
        assertThat(few).isLessThan(ALLOCATED);
        assertThat(allocatedForOneEndpoint(family, MANY)).isLessThan(few + few / 10);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aFirstLoadAllocatesInProportionToItsRules(IpFamily family) {
        NodeView node = Samples.node(family);
        var all = all(family, FEW);
        long least = LongStream.range(0, 20)
                .map(round -> allocated(() -> inForce(pass(family).run(node, all))))
                .min()
                .orElseThrow();
        assertThat(least / FEW)
                .as("bytes per Service of %d endpoints", ENDPOINTS)
                .isLessThan(ALLOCATED);
    }

    /** The least of many rounds: the first ones also load classes. */
    private static long allocatedForOneEndpoint(IpFamily family, int services) {
        NodeView node = Samples.node(family);
        ViewSyncer pass = pass(family);
        inForce(pass.run(node, all(family, services)));
        return LongStream.range(0, 50)
                .map(round -> {
                    var change = oneEndpoint(family, (int) round);
                    return allocated(() -> inForce(pass.run(node, change)));
                })
                .min()
                .orElseThrow();
    }

    private static long allocated(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }

    private static ViewSyncer pass(IpFamily family) {
        IptablesEncoding encoding = new IptablesEncoding(family, new PrintKey(1, 2));
        return new ViewSyncer(new IptablesSyncer(new Obliging(), new IptablesLayout(encoding::image, Ownership::ours)));
    }

    /** Pods bring addresses of the node with them all the time. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void anAddressThatNoRuleDependsOnMakesNoServiceCompiledAgain(IpFamily family) {
        NodeView node = NodeViewBuilder.node(family).view();
        NodeView other = NodeViewBuilder.node(family)
                .addresses(Samples.podIp(family, 200, 1).toString())
                .nodeIp(node.nodeIp())
                .view();
        assertThat(other).isNotEqualTo(node);
        List<ServicePlan> read = new ArrayList<>();
        IptablesEncoding encoding = new IptablesEncoding(family, new PrintKey(1, 2));
        try (IptablesSyncer syncer =
                new IptablesSyncer(new Obliging(), new IptablesLayout(encoding::image, Ownership::ours))) {
            Map<ServiceKey, ServiceView> views = new HashMap<>();
            all(family, FEW).forEach((key, view) -> views.put(key, view.orElseThrow()));
            inForce(syncer.run(Planner.of(node), views.keySet(), reading(Planner.of(node), views, read)));
            assertThat(read).hasSize(FEW);
            read.clear();
            SyncResult result =
                    inForce(syncer.run(Planner.of(other), Set.of(), reading(Planner.of(other), views, read)));
            assertThat(result.ops()).isZero();
            assertThat(read).isEmpty();
        }
    }

    /** Notes each plan that is read. */
    private static ServicePlans reading(Planner planner, Map<ServiceKey, ServiceView> views, List<ServicePlan> read) {
        FixedPlans plans = new FixedPlans(planner, views);
        return new ServicePlans() {
            @Override
            public Optional<ServicePlan> find(ServiceKey key) {
                Optional<ServicePlan> plan = plans.find(key);
                plan.ifPresent(read::add);
                return plan;
            }

            @Override
            public void forEach(Consumer<ServicePlan> each) {
                plans.forEach(plan -> {
                    read.add(plan);
                    each.accept(plan);
                });
            }
        };
    }

    /** A kernel that accepts everything and stores nothing, so that it allocates next to nothing. */
    private static final class Obliging implements Kernel {
        private long handle;

        @Override
        public ReadResult<KernelChains> read() {
            return new ReadResult.Found<>(new KernelChains(Set.of(), Map.of()));
        }

        @Override
        public ReadResult<KernelChains> read(Set<ChainId> chains) {
            return read();
        }

        @Override
        public Batch begin() {
            List<Long> placed = new ArrayList<>();
            return new Batch() {
                private int size;

                @Override
                public void add(Op op) {
                    size++;
                    if (op instanceof Op.PlaceRule) {
                        placed.add(++handle);
                    }
                }

                @Override
                public int size() {
                    return size;
                }

                @Override
                public Outcome commit() {
                    return new Outcome.Applied(placed, size, 0);
                }
            };
        }

        @Override
        public boolean changedByOthers() {
            return false;
        }

        @Override
        public void close() {}
    }
}
