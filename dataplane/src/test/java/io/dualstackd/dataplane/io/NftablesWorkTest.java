package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.CountingTransport.Counts;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a change costs in nftables mode, counted, not timed: it must not depend on how many other Services there are. */
@Tag("kernel")
final class NftablesWorkTest {
    private static final int FEW = 100;
    private static final int MANY = 10_000;
    private static final int ENDPOINTS = 10;

    /** Of the Service with a ClusterIP and a node port: an element out and one in for each, begin and end. */
    private static final Work REPLACED = new Work(4, 2 * 2 + 2);
    /** A destination moves from one set to another, and one endpoint comes or goes: for each of the two. */
    private static final Work ADDED = new Work(6, 6 + 2);

    private static final long BYTES = 1_200;
    private static final long ALLOCATED = 100_000;

    private record Work(int steps, int messages) {}

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void oneEndpointIsTheSameFewElementsHoweverManyServices(IpFamily family) throws Exception {
        List<Counts> few = sent(family, FEW);
        assertThat(sent(family, MANY)).isEqualTo(few);
    }

    private static List<Counts> sent(IpFamily family, int services) throws Exception {
        NodeView node = Samples.node(family);
        try (NetNs ns = FreshNetNs.create()) {
            CountingTransport transport = new CountingTransport(NlSocket.open(NlProtocol.NETFILTER, ns));
            try (ViewSyncer syncer = new ViewSyncer(NftablesSyncer.of(family, () -> transport))) {
                inForce(syncer.run(node, all(family, services)));
                transport.take();
                List<Counts> sent = new ArrayList<>();
                sent.add(change(syncer, node, replaced(family, 0), transport, REPLACED));
                sent.add(change(syncer, node, with(family, ENDPOINTS + 1), transport, ADDED));
                sent.add(change(syncer, node, with(family, ENDPOINTS), transport, ADDED));
                allocates(syncer, node, family);
                return sent;
            }
        }
    }

    private static Counts change(
            ViewSyncer syncer, NodeView node, ServiceView to, CountingTransport transport, Work work) {
        SyncResult report = inForce(syncer.run(node, one(to)));
        Counts sent = transport.take();
        assertThat(report.ops()).isEqualTo(work.steps);
        assertThat(sent.batches()).isEqualTo(1);
        assertThat(sent.messages()).isEqualTo(work.messages);
        assertThat(sent.bytes()).isLessThan(BYTES);
        return sent;
    }

    private static void allocates(ViewSyncer syncer, NodeView node, IpFamily family) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 1; round <= 10; round++) {
            Map<ServiceKey, Optional<ServiceView>> change = one(replaced(family, round));
            long before = threads.getCurrentThreadAllocatedBytes();
            inForce(syncer.run(node, change));
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isLessThan(ALLOCATED);
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }

    /** A tenth of the Services has an endpoint more, so that there are sets for both numbers. */
    private static Map<ServiceKey, Optional<ServiceView>> all(IpFamily family, int services) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < services; n++) {
            all.putAll(one(Samples.service(family, n, n % 10 == 0 ? ENDPOINTS + 1 : ENDPOINTS)));
        }
        return all;
    }

    private static Map<ServiceKey, Optional<ServiceView>> one(ServiceView view) {
        return Map.of(view.key(), Optional.of(view));
    }

    /** Service 7 with its fourth endpoint replaced by the {@code round}-th other one. */
    private static ServiceView replaced(IpFamily family, int round) {
        List<Endpoint> endpoints = new ArrayList<>(
                Samples.service(family, 7, ENDPOINTS).ports().getFirst().endpoints());
        endpoints.set(3, Samples.endpoint(Samples.podIp(family, 9, 100 + round), 8080));
        return Samples.service(family, 7, endpoints, Affinity.NONE);
    }

    /** Service 7 with the endpoints that {@link #replaced} leaves, and more. */
    private static ServiceView with(IpFamily family, int count) {
        List<Endpoint> endpoints =
                new ArrayList<>(replaced(family, 0).ports().getFirst().endpoints());
        for (int i = ENDPOINTS; i < count; i++) {
            endpoints.add(Samples.endpoint(Samples.podIp(family, 9, 200 + i), 8080));
        }
        return Samples.service(family, 7, endpoints, Affinity.NONE);
    }
}
