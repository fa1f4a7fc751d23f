package io.dualstackd.agent;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.line.io.FamilyLine.LinePace;
import io.dualstackd.agent.node.NodeSettings;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.nodeaddr.NodeIps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The configuration, completed with what only the host knows. */
final class Settings {
    private static final String BE_LIBERAL = "net/netfilter/nf_conntrack_tcp_be_liberal";

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private Settings() {}

    static DaemonSettings of(AgentConfig config, NetNs ns) throws IOException {
        NodeSettings node = new NodeSettings(
                nodeName(config),
                config.node().zone(),
                config.node().ips().orElse(NodeIps.DEFAULT),
                config.detectLocal(),
                config.nodePortAddresses(),
                config.rules().masqueradeAll(),
                config.rules().masqueradeBit(),
                config.rules().localhostNodePorts(),
                !config.conntrack().tcpBeLiberal() && dropInvalid(ns));
        return new DaemonSettings(
                config.mode(),
                Path.of(config.manifests()),
                Optional.of(config.stateDir()).filter(dir -> !dir.isEmpty()).map(Path::of),
                ns,
                node,
                new LinePace(config.rules().minSyncPeriod(), config.rules().syncPeriod()),
                config.endpoints(),
                config.pods(),
                config.drainTcpAfter());
    }

    /** As kubelet and kube-proxy name a node: what the admin says, else the host's name, in lower case. */
    private static String nodeName(AgentConfig config) throws IOException {
        String name = config.node().nameOverride().isPresent()
                ? config.node().nameOverride().get()
                : Files.readString(HOST_NAME);
        return name.strip().toLowerCase(Locale.ROOT);
    }

    /** Where conntrack is liberal about TCP, what it calls invalid is not worth dropping. A kernel without the setting is not. */
    private static boolean dropInvalid(NetNs ns) {
        try {
            return Sysctl.read(ns, BE_LIBERAL).equals("0");
        } catch (IOException e) {
            return true;
        }
    }
}
