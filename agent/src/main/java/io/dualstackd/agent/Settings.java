package io.dualstackd.agent;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.host.io.FamilySupport;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.io.HostName;
import io.dualstackd.standalone.ledger.LedgerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The configuration, completed with values that are only known on the host. */
final class Settings {
    private static final String BE_LIBERAL = "net/netfilter/nf_conntrack_tcp_be_liberal";

    private Settings() {}

    /** Where the Node object has no networks of pods, {@code --pod-cidr} says which addresses are pods of this node. */
    private static DetectLocal detectLocal(AgentConfig config) {
        return config.detectLocal() instanceof DetectLocal.NodeCidr
                ? new DetectLocal.NodeCidr(config.pods().cidrs().cidrs())
                : config.detectLocal();
    }

    static DaemonSettings of(AgentConfig config, NetNs ns) throws IOException {
        return of(config, ns, HostName.of(config.node().nameOverride()));
    }

    /** Those of another configuration for a running daemon: a host may get another name, but the node keeps its name. */
    static DaemonSettings again(AgentConfig config, DaemonSettings running) throws IOException {
        return of(config, running.ns(), running.node().name());
    }

    private static DaemonSettings of(AgentConfig config, NetNs ns, String name) throws IOException {
        NodeSettings node = new NodeSettings(
                name,
                config.node().zone(),
                config.node().ips(),
                detectLocal(config),
                config.nodePortAddresses(),
                config.rules().masqueradeAll(),
                config.rules().masqueradeBit(),
                config.rules().localhostNodePorts(),
                !config.conntrack().tcpBeLiberal() && dropInvalid(ns),
                false,
                config.node().bindAddresses());
        return DaemonSettings.builder(config.mode(), config.source(), ns, node, intervals(config))
                .state(Optional.of(config.stateDir())
                        .filter(dir -> !dir.isEmpty())
                        .map(Path::of))
                .endpoints(config.endpoints())
                .pods(config.pods())
                .endpointCounters(config.endpointCounters())
                .externalIps(config.externalIps())
                .drainTcpAfter(config.drainTcpAfter())
                .missing(FamilySupport.missing(ns))
                .ipvs(config.ipvs().servers())
                .dns(config.dns())
                .ledger(config.serviceApi()
                        .map(api -> new LedgerSettings(
                                api.clusterIpRanges(),
                                api.nodePorts().first(),
                                api.nodePorts().last(),
                                api.semantics(),
                                api.keepsKubernetesIp(),
                                api.cidrGrace())))
                .build();
    }

    private static SyncIntervals intervals(AgentConfig config) {
        SyncIntervals intervals =
                new SyncIntervals(config.rules().minSyncPeriod(), config.rules().syncPeriod());
        return HostActions.serviceEnvironment()
                .pulse()
                .map(pulse -> new SyncIntervals(intervals.minGap(), intervals.lookPeriod(), pulse))
                .orElse(intervals);
    }

    /**
     * Where conntrack is liberal about TCP, packets it calls invalid are not worth dropping. A kernel without the setting is not liberal.
     */
    private static boolean dropInvalid(NetNs ns) {
        try {
            return Sysctl.read(ns, BE_LIBERAL).equals("0");
        } catch (IOException e) {
            return true;
        }
    }
}
