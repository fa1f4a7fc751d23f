package io.dualstackd.agent.simulation;

import io.dualstackd.agent.app.Daemon;
import io.dualstackd.agent.app.Effects;
import io.dualstackd.agent.app.HeapKeeper;
import io.dualstackd.agent.app.ObjectSource;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.ClusterAccessReader;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.io.ClusterSource;
import io.dualstackd.kubeapi.client.io.InMemoryApiServer;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.pages.health.io.HttpHandler;
import io.dualstackd.pages.health.io.HttpListeners;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Starts daemons whose effects are simulated. */
final class SimulatedDaemon {
    /** How often the daemon checks for changes without a notification. */
    static final Duration LOOK_PERIOD = Duration.ofSeconds(9);

    private SimulatedDaemon() {}

    /** @param failures receives what would end the process */
    static Daemon start(
            SimulatedPlatform platform,
            SimulatedKernel kernel,
            InMemoryApiServer server,
            NetNs unused,
            List<String> failures) {
        SourceSettings.Cluster cluster = new SourceSettings.Cluster(
                new ClusterSettings(Optional.empty(), Optional.empty(), WireFormat.PROTOBUF, 50, 50));
        NodeSettings node = new NodeSettings(
                "n1",
                Optional.empty(),
                Optional.of(NodeIps.parse("ipv4,ipv6")),
                new DetectLocal.ClusterCidr(List.of()),
                NodePortAddresses.PRIMARY,
                false,
                14,
                false,
                true);
        SyncIntervals intervals = new SyncIntervals(Duration.ZERO, LOOK_PERIOD);
        DaemonSettings settings = DaemonSettings.builder(ProxyMode.NFTABLES, cluster, unused, node, intervals)
                .build();
        ClusterAccess access = new ClusterAccess(
                false, "127.0.0.1", 6443, "", Optional.empty(), Optional.empty(), false, Optional.empty());
        Effects effects = new Effects(
                kernel,
                () -> new ClusterSource.Network(server, Map.of()),
                (endpoint, supervisor) -> {
                    throw new IllegalStateException("there is no container runtime");
                },
                name -> List.of(),
                supervisor -> new NoListeners(),
                (of, open, generations) -> new Effects.Remover(status -> {}, List::of),
                HeapKeeper::idle);
        Supervisor supervisor = new Supervisor((why, cause) -> failures.add(why + ": " + cause), platform);
        try {
            return Daemon.start(
                    settings,
                    ObjectSource.of(new ClusterAccessReader(access, Credentials.NONE), cluster, settings),
                    effects,
                    family -> Stream.empty(),
                    supervisor);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Listens to nothing. */
    private static final class NoListeners implements HttpListeners {
        private final List<Listening> open = new ArrayList<>();

        @Override
        public Listener listen(Listening where, HttpHandler handler) {
            open.add(where);
            return new Listener() {
                @Override
                public int port() {
                    return where.port();
                }

                @Override
                public void close() {
                    open.remove(where);
                }
            };
        }

        @Override
        public void close() {
            open.clear();
        }
    }
}
