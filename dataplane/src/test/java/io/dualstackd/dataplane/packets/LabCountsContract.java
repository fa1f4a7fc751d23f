package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts of the traffic of remote clients, in each mode that counts: datagrams, each of which is sent once. */
@Tag("kernel")
abstract class LabCountsContract {
    /** A syncer of the laboratory's node, and the counts of its rules. */
    record Counted(Syncer syncer, ConnectionCounts counts) {}

    abstract Counted counted(IpFamily family, NetNs node);

    /** Waits until the kernel shows what it has counted. */
    void awaitCounters() {}

    /** Whether pods reach external addresses through the ClusterIP, where they are counted, while the node itself is not counted. */
    boolean countsPodsAtClusterIp() {
        return false;
    }

    static final int TIMEOUT = 100;
    static final int ENOUGH = 5_000;
    static final int NODE_PORT = 3001;

    @ParameterizedTest
    @EnumSource(LabMap.class)
    void countsServedRefusedAndDropped(LabMap map) throws Exception {
        int podsAtExternalIp = countsPodsAtClusterIp() ? 0 : 2;
        int podsAtClusterIp = 3 - podsAtExternalIp;
        int fromNode = countsPodsAtClusterIp() ? 0 : 1;
        try (Lab lab = Lab.open();
                Counting counting = new Counting(lab, map, counted(map.family(), lab.node()))) {
            counting.run(Services.on(map, outside(map), "R1").view());
            counting.send(Sender.CLIENT, map.externalIp(1), 80, 3, TIMEOUT);
            counting.send(Sender.POD, map.externalIp(1), 80, 2, ENOUGH);
            counting.send(Sender.CLIENT, map.node(), NODE_PORT, 4, TIMEOUT);
            counting.send(Sender.NODE, map.node(), NODE_PORT, fromNode, ENOUGH);
            counting.send(Sender.POD, map.clusterIp(1), 80, 1, ENOUGH);
            ConnectionCounts counts = counting.read();
            assertThat(counts.external(map.externalIp(1), Proto.UDP, 80))
                    .isEqualTo(new Attempts(podsAtExternalIp, 0, 3));
            assertThat(counts.nodePort(Proto.UDP, NODE_PORT)).isEqualTo(new Attempts(fromNode, 0, 4));
            assertThat(counts.clusterIp(map.clusterIp(1), Proto.UDP, 80))
                    .isEqualTo(new Attempts(podsAtClusterIp, 0, 0));
            assertThat(counts.total()).isEqualTo(new Attempts(countsPodsAtClusterIp() ? 3 : 11, 0, 7));

            counting.run(outside(map).view());
            counting.send(Sender.CLIENT, map.externalIp(1), 80, 2, ENOUGH);
            counting.send(Sender.POD, map.node(), NODE_PORT, 1, ENOUGH);
            counting.send(Sender.POD, map.clusterIp(1), 80, 3, ENOUGH);
            counts = counting.read();
            assertThat(counts.external(map.externalIp(1), Proto.UDP, 80))
                    .isEqualTo(new Attempts(podsAtExternalIp, 2, 3));
            assertThat(counts.nodePort(Proto.UDP, NODE_PORT)).isEqualTo(new Attempts(fromNode, 1, 4));
            assertThat(counts.clusterIp(map.clusterIp(1), Proto.UDP, 80))
                    .isEqualTo(new Attempts(podsAtClusterIp, 3, 0));
        }
    }

    @ParameterizedTest
    @EnumSource(LabMap.class)
    void forbiddenSourcesAreDropped(LabMap map) throws Exception {
        try (Lab lab = Lab.open();
                Counting counting = new Counting(lab, map, counted(map.family(), lab.node()))) {
            counting.sendFromAllowedAndForbidden();
            ConnectionCounts counts = counting.read();
            assertThat(counts.external(map.vip(1), Proto.UDP, 80)).isEqualTo(new Attempts(2, 0, 3));
            assertThat(counts.total()).isEqualTo(new Attempts(2, 0, 3));

            counting.run(Services.on(map, ranged(map).externalLocal(), "R1").view());
            counting.send(Sender.CLIENT, map.vip(1), 80, 2, TIMEOUT);
            counts = counting.read();
            assertThat(counts.external(map.vip(1), Proto.UDP, 80))
                    .as("with those that have no local endpoint")
                    .isEqualTo(new Attempts(2, 0, 5));
        }
    }

    static ServiceViewBuilder outside(LabMap map) {
        return Services.clusterIp(map, "outside", 1)
                .protocols(Proto.UDP)
                .nodePort(NODE_PORT)
                .externalIps(map.externalIp(1).toString())
                .externalLocal();
    }

    static ServiceViewBuilder ranged(LabMap map) {
        return Services.clusterIp(map, "ranged", 1)
                .protocols(Proto.UDP)
                .loadBalancerIps(map.vip(1).toString())
                .sourceRanges(map.clientRange().toString());
    }

    /** Rules of the laboratory's node, and their counts. */
    final class Counting implements AutoCloseable {
        private final Lab lab;
        private final LabMap map;
        private final NodeView node;
        private final ViewSyncer syncer;
        private final ConnectionCounts counts;

        Counting(Lab lab, LabMap map, Counted counted) {
            this.lab = lab;
            this.map = map;
            node = map.nodeBuilder().podsIn(map.pods().toString()).view();
            syncer = new ViewSyncer(counted.syncer());
            counts = counted.counts();
        }

        void run(ServiceView service) {
            assertThat(syncer.run(node, Map.of(service.key(), Optional.of(service)))
                            .result())
                    .isEqualTo(new Result.InForce());
        }

        void send(Sender sender, Ip to, int port, int times, int timeout) throws Exception {
            for (int i = 0; i < times; i++) {
                Probe.Answer ignored = Probe.send(
                        lab.hostOf(sender).ns(), sender.address(map), new IpPort(to, port), Proto.UDP, timeout);
            }
        }

        void sendFromAllowedAndForbidden() throws Exception {
            run(Services.on(map, ranged(map), "R1").view());
            send(Sender.CLIENT, map.vip(1), 80, 2, ENOUGH);
            send(Sender.OTHER_CLIENT, map.vip(1), 80, 3, TIMEOUT);
        }

        ConnectionCounts read() {
            awaitCounters();
            assertThat(counts.refresh()).isEmpty();
            return counts;
        }

        @Override
        public void close() {
            syncer.close();
        }
    }
}
