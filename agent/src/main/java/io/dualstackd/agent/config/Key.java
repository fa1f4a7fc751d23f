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
            "Node ports answer on the node's addresses inside these networks; primary: on the node's IPs; empty: on"
                    + " all in iptables mode, primary in nftables mode.",
            ""),
    BIND_ADDRESS(
            "bindAddress",
            "--bind-address",
            "ADDR",
            "An IPv6 address makes the two addresses below default to IPv6; it has no other meaning.",
            "0.0.0.0"),
    HEALTHZ_BIND_ADDRESS(
            "healthzBindAddress",
            "--healthz-bind-address",
            "ADDR:PORT",
            "Where /healthz and /livez answer; a wildcard address means both IP families; empty flag: nowhere.",
            "0.0.0.0:10256"),
    METRICS_BIND_ADDRESS(
            "metricsBindAddress",
            "--metrics-bind-address",
            "ADDR:PORT",
            "Where /metrics (Prometheus) and /proxyMode answer; empty flag: nowhere.",
            "127.0.0.1:10249"),
    BIND_ADDRESS_HARD_FAIL(
            "bindAddressHardFail",
            "--bind-address-hard-fail",
            "",
            "Do not start when one of these addresses cannot be had; otherwise it is tried again every 5 s.",
            "false"),
    CONNTRACK_MAX_PER_CORE(
            "conntrack.maxPerCore",
            "--conntrack-max-per-core",
            "N",
            "Connections the kernel may track, per processor, at most 1048576 in all; 0 leaves it.",
            "32768"),
    CONNTRACK_MIN(
            "conntrack.min",
            "--conntrack-min",
            "N",
            "Connections the kernel may track at least, however few processors there are.",
            "131072"),
    CONNTRACK_TCP_ESTABLISHED(
            "conntrack.tcpEstablishedTimeout",
            "--conntrack-tcp-timeout-established",
            "DURATION",
            "How long the kernel remembers a silent TCP connection; 0 leaves it.",
            "24h"),
    CONNTRACK_TCP_CLOSE_WAIT(
            "conntrack.tcpCloseWaitTimeout",
            "--conntrack-tcp-timeout-close-wait",
            "DURATION",
            "How long the kernel remembers a TCP connection one side has closed; 0 leaves it.",
            "1h"),
    CONNTRACK_TCP_BE_LIBERAL(
            "conntrack.tcpBeLiberal",
            "--conntrack-tcp-be-liberal",
            "",
            "Let the kernel track TCP packets outside the window; false leaves it.",
            "false"),
    CONNTRACK_UDP(
            "conntrack.udpTimeout",
            "--conntrack-udp-timeout",
            "DURATION",
            "How long the kernel remembers UDP without an answer; 0 leaves it.",
            "0s"),
    CONNTRACK_UDP_STREAM(
            "conntrack.udpStreamTimeout",
            "--conntrack-udp-timeout-stream",
            "DURATION",
            "How long the kernel remembers UDP that is answered; 0 leaves it.",
            "0s"),
    CONNTRACK_DRAIN_TCP(
            "conntrack.drainTcpAfter",
            "--conntrack-drain-tcp-after",
            "DURATION",
            "End TCP connections to endpoints that are gone for that long; 0 lets them end by themselves.",
            "0s"),
    HOSTNAME_OVERRIDE(
            "hostnameOverride",
            "--hostname-override",
            "NAME",
            "Name of this node, as in endpoints' nodeName; empty: the host's name.",
            ""),
    KUBECONFIG(
            "clientConnection.kubeconfig",
            "--kubeconfig",
            "FILE",
            "How to reach the API server; empty: as the service account of the pod this runs in.",
            ""),
    MASTER(
            "dualstackd.master",
            "--master",
            "URI",
            "Address of the API server, instead of the one in the kubeconfig.",
            ""),
    KUBE_API_CONTENT_TYPE(
            "clientConnection.contentType",
            "--kube-api-content-type",
            "TYPE",
            "What to ask the API server for: application/vnd.kubernetes.protobuf or application/json.",
            "application/vnd.kubernetes.protobuf"),
    KUBE_API_QPS(
            "clientConnection.qps",
            "--kube-api-qps",
            "N",
            "Single requests to the API server per second, in the long run; 0 for no limit. Watches do not count.",
            "5"),
    KUBE_API_BURST(
            "clientConnection.burst", "--kube-api-burst", "N", "Single requests to the API server at once.", "10"),
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
            "IP[,IP]",
            "This node's own IPs, the primary one first: addresses, ipv4, ipv6, networks like 10.0.0.0/8 or interface:NAME, one"
                    + " element or two of different families; see 'dualstackd addresses'. Empty: from the Node object, else"
                    + " ipv4,ipv6.",
            ""),
    NODE_IP(
            "dualstackd.nodeIP",
            "--node-ip",
            "IP[,IP]",
            "Deprecated, kubelet's: as --node-ips, with 0.0.0.0 for ipv4 and :: for ipv6; what is no address is ignored.",
            ""),
    ZONE("dualstackd.zone", "--zone", "NAME", "Topology zone of this node; empty: from the Node object.", ""),
    CRI(
            "dualstackd.cri",
            "--cri",
            "ENDPOINT",
            "Socket of the container runtime (unix:///PATH), to know this node's pods; empty: they are not followed.",
            ""),
    POD_CIDR(
            "dualstackd.podCIDR",
            "--pod-cidr",
            "CIDR[,CIDR]",
            "Networks of this node's pods, one per IP family, told to the container runtime; empty: from the Node"
                    + " object.",
            ""),
    LOCAL_FAILOVER(
            "dualstackd.localFailover",
            "--local-failover",
            "",
            "Take a pod of this node out of service as soon as the container runtime says that it is dead.",
            "true"),
    SERVICE_CLUSTER_IP_RANGE(
            "dualstackd.serviceClusterIPRange",
            "--service-cluster-ip-range",
            "CIDR[,CIDR]",
            "Give Services of manifests their cluster IPs out of these networks, one per IP family, that of the default family"
                    + " first, and node ports and defaults as an API server does; empty: Services are used as they are written.",
            ""),
    SERVICE_NODE_PORT_RANGE(
            "dualstackd.serviceNodePortRange",
            "--service-node-port-range",
            "FIRST-LAST",
            "Ports for Services of type NodePort and LoadBalancer, with --service-cluster-ip-range.",
            "30000-32767"),
    SERVICE_API_SEMANTICS(
            "dualstackd.serviceAPISemantics",
            "--service-api-semantics",
            "WHOSE",
            "Where the text of KEP-563 and API servers differ about a Service's IP families: kubernetes or kep563.",
            "kubernetes"),
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
