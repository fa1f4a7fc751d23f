package io.dualstackd.agent.config;

import java.util.Arrays;
import java.util.Optional;

/** Every setting: its key in the file, its flag, and what people are told about it. */
public enum Key {
    MODE("mode", "--proxy-mode", "MODE", "How rules are written: iptables or nftables.", "iptables"),
    MASQUERADE_BIT(
            "iptables.masqueradeBit",
            "--iptables-masquerade-bit",
            "BIT",
            "Bit of the packet mark that asks for masquerade, 0 to 31.",
            "14"),
    MASQUERADE_ALL("iptables.masqueradeAll", "--masquerade-all", "", "Masquerade all traffic to cluster IPs.", "false"),
    LOCALHOST_NODE_PORTS(
            "iptables.localhostNodePorts",
            "--iptables-localhost-nodeports",
            "",
            "Let node ports answer on 127.0.0.1, too (IPv4 and iptables mode only).",
            "true"),
    SYNC_PERIOD(
            "iptables.syncPeriod",
            "--iptables-sync-period",
            "DURATION",
            "How often to compare with the kernel although nothing happened.",
            "30s"),
    MIN_SYNC_PERIOD(
            "iptables.minSyncPeriod",
            "--iptables-min-sync-period",
            "DURATION",
            "Least time between two changes of the kernel's rules; 0s changes them at once.",
            "0s"),
    NFTABLES_MASQUERADE_BIT(
            "nftables.masqueradeBit",
            "--nftables-masquerade-bit",
            "BIT",
            "As --iptables-masquerade-bit, in nftables mode.",
            "14"),
    NFTABLES_MASQUERADE_ALL(
            "nftables.masqueradeAll",
            "--nftables-masquerade-all",
            "",
            "As --masquerade-all, in nftables mode, where that flag counts, too.",
            "false"),
    NFTABLES_SYNC_PERIOD(
            "nftables.syncPeriod",
            "--nftables-sync-period",
            "DURATION",
            "As --iptables-sync-period, in nftables mode.",
            "30s"),
    NFTABLES_MIN_SYNC_PERIOD(
            "nftables.minSyncPeriod",
            "--nftables-min-sync-period",
            "DURATION",
            "As --iptables-min-sync-period, in nftables mode.",
            "0s"),
    DETECT_LOCAL_MODE(
            "detectLocalMode",
            "--detect-local-mode",
            "MODE",
            "How to know traffic of local pods: ClusterCIDR, NodeCIDR, BridgeInterface or InterfaceNamePrefix.",
            "ClusterCIDR"),
    BRIDGE_INTERFACE(
            "detectLocal.bridgeInterface",
            "--pod-bridge-interface",
            "NAME",
            "The bridge of local pods, for BridgeInterface.",
            ""),
    INTERFACE_NAME_PREFIX(
            "detectLocal.interfaceNamePrefix",
            "--pod-interface-name-prefix",
            "PREFIX",
            "How names of pod interfaces begin, for InterfaceNamePrefix.",
            ""),
    CLUSTER_CIDR(
            "clusterCIDR",
            "--cluster-cidr",
            "CIDR[,CIDR]",
            "Network of the cluster's pods, one per IP family, for ClusterCIDR.",
            ""),
    NODE_PORT_ADDRESSES(
            "nodePortAddresses",
            "--nodeport-addresses",
            "CIDR[,CIDR…]",
            "Node ports answer on the node's addresses inside these networks; primary: on the node's IPs; empty: on all in"
                    + " iptables mode, primary in nftables mode.",
            ""),
    HOSTNAME_OVERRIDE(
            "hostnameOverride",
            "--hostname-override",
            "NAME",
            "Name of this node, as in endpoints' nodeName; empty: the host's name.",
            ""),
    STANDALONE("dualstackd.standalone", "--standalone", "", "Work without an API server, from manifests.", "false"),
    MANIFESTS(
            "dualstackd.manifests",
            "--manifests",
            "DIR",
            "Folder with Services, EndpointSlices, Nodes and ServiceCIDRs as YAML or JSON; watched for changes.",
            ""),
    NODE_IPS(
            "dualstackd.nodeIPs",
            "--node-ips",
            "ADDR[,ADDR]",
            "This node's own IPs, at most one per family; empty: from the Node object, else from the interfaces.",
            ""),
    ZONE("dualstackd.zone", "--zone", "NAME", "Topology zone of this node; empty: from the Node object.", ""),
    LOG_FORMAT("dualstackd.logFormat", "--log-format", "FORMAT", "Log lines as text or json.", "text"),
    LOG_LEVEL("dualstackd.logLevel", "--log-level", "LEVEL", "error, warn, info, debug or trace.", "info"),
    ADMIN_SOCKET(
            "dualstackd.adminSocket",
            "--admin-socket",
            "PATH",
            "Where 'dualstackd status' finds the daemon; empty: nowhere.",
            "/run/dualstackd/admin.sock"),
    STATE_DIR(
            "dualstackd.stateDir",
            "--state-dir",
            "DIR",
            "Where the daemon may write: copies of good manifests, for a start while one is broken; empty: nowhere.",
            "/var/lib/dualstackd");

    private final String path;
    private final String flag;
    private final String parameter;
    private final String help;
    private final String fallback;

    Key(String path, String flag, String parameter, String help, String fallback) {
        this.path = path;
        this.flag = flag;
        this.parameter = parameter;
        this.help = help;
        this.fallback = fallback;
    }

    /** In the file: {@code iptables.masqueradeBit}. */
    public String path() {
        return path;
    }

    /** On the command line, with its dashes. */
    public String flag() {
        return flag;
    }

    /** What stands behind the flag in help texts; empty for truth values, which may stand alone. */
    public String parameter() {
        return parameter;
    }

    /** One sentence for people. */
    public String help() {
        return help;
    }

    /** The value when neither file nor flag says anything. */
    public String fallback() {
        return fallback;
    }

    /** True when the flag may stand alone and then means {@code true}. */
    public boolean isSwitch() {
        return parameter.isEmpty();
    }

    /** True when several values are possible, separated by commas or as a list in the file. */
    public boolean isList() {
        return parameter.contains("[,");
    }

    static Optional<Key> ofPath(String path) {
        return Arrays.stream(values()).filter(k -> k.path.equals(path)).findFirst();
    }
}
