package io.dualstackd.agent.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Every setting: its key in the file, its flag, its default. What people are told about it is in {@link KeyHelp}. */
public enum Key {
    KUBECONFIG(Group.SOURCE, "clientConnection.kubeconfig", "--kubeconfig", "FILE", ""),
    MASTER(Group.SOURCE, "dualstackd.master", "--master", "URI", ""),
    KUBE_API_CONTENT_TYPE(
            Group.SOURCE,
            "clientConnection.contentType",
            "--kube-api-content-type",
            "TYPE",
            "application/vnd.kubernetes.protobuf"),
    KUBE_API_QPS(Group.SOURCE, "clientConnection.qps", "--kube-api-qps", "N", "5"),
    KUBE_API_BURST(Group.SOURCE, "clientConnection.burst", "--kube-api-burst", "N", "10"),
    STANDALONE(Group.SOURCE, "dualstackd.standalone", "--standalone", "", "false"),
    MANIFESTS(Group.SOURCE, "dualstackd.manifests", "--manifests", "DIR", ""),
    SERVICE_CLUSTER_IP_RANGE(
            Group.SOURCE, "dualstackd.serviceClusterIPRange", "--service-cluster-ip-range", "CIDR[,CIDR]", ""),
    SERVICE_NODE_PORT_RANGE(
            Group.SOURCE, "dualstackd.serviceNodePortRange", "--service-node-port-range", "FIRST-LAST", "30000-32767"),
    SERVICE_API_SEMANTICS(
            Group.SOURCE, "dualstackd.serviceAPISemantics", "--service-api-semantics", "WHOSE", "kubernetes"),
    HOSTNAME_OVERRIDE(Group.NODE, "hostnameOverride", "--hostname-override", "NAME", ""),
    NODE_IPS(Group.NODE, "dualstackd.nodeIPs", "--node-ips", "IP[,IP]", ""),
    NODE_IP(Group.NODE, "dualstackd.nodeIP", "--node-ip", "IP[,IP]", ""),
    BIND_ADDRESS(Group.NODE, "bindAddress", "--bind-address", "ADDR", "0.0.0.0"),
    ZONE(Group.NODE, "dualstackd.zone", "--zone", "NAME", ""),
    CRI(Group.NODE, "dualstackd.cri", "--cri", "ENDPOINT", ""),
    POD_CIDR(Group.NODE, "dualstackd.podCIDR", "--pod-cidr", "CIDR[,CIDR]", ""),
    MANAGE_NODE_ADDRESSES(Group.NODE, "dualstackd.manageNodeAddresses", "--manage-node-addresses", "WHAT", "off"),
    REPORT_POD_IPS(Group.NODE, "dualstackd.reportPodIPs", "--report-pod-ips", "", "false"),
    LOCAL_FAILOVER(Group.NODE, "dualstackd.localFailover", "--local-failover", "", "true"),
    LOG_LEVEL(Group.DAEMON, "dualstackd.logLevel", "--log-level", "LEVEL", "info"),
    LOG_FORMAT(Group.DAEMON, "dualstackd.logFormat", "--log-format", "FORMAT", "text"),
    ADMIN_SOCKET(Group.DAEMON, "dualstackd.adminSocket", "--admin-socket", "PATH", "/run/dualstackd/admin.sock"),
    STATE_DIR(Group.DAEMON, "dualstackd.stateDir", "--state-dir", "DIR", "/var/lib/dualstackd"),
    MODE(Group.RULES, "mode", "--proxy-mode", "MODE", "iptables"),
    IPTABLES_VARIANT(Group.RULES, "dualstackd.iptablesVariant", "--iptables-variant", "VARIANT", "auto"),
    CLUSTER_CIDR(Group.RULES, "clusterCIDR", "--cluster-cidr", "CIDR[,CIDR]", ""),
    DETECT_LOCAL_MODE(Group.RULES, "detectLocalMode", "--detect-local-mode", "MODE", "ClusterCIDR"),
    BRIDGE_INTERFACE(Group.RULES, "detectLocal.bridgeInterface", "--pod-bridge-interface", "NAME", ""),
    INTERFACE_NAME_PREFIX(Group.RULES, "detectLocal.interfaceNamePrefix", "--pod-interface-name-prefix", "PREFIX", ""),
    NODE_PORT_ADDRESSES(Group.RULES, "nodePortAddresses", "--nodeport-addresses", "CIDR[,CIDR…]", ""),
    MASQUERADE_ALL(Group.RULES, "iptables.masqueradeAll", "--masquerade-all", "", "false"),
    MASQUERADE_BIT(Group.RULES, "iptables.masqueradeBit", "--iptables-masquerade-bit", "BIT", "14"),
    LOCALHOST_NODE_PORTS(Group.RULES, "iptables.localhostNodePorts", "--iptables-localhost-nodeports", "", "true"),
    SYNC_PERIOD(Group.RULES, "iptables.syncPeriod", "--iptables-sync-period", "DURATION", "30s"),
    MIN_SYNC_PERIOD(Group.RULES, "iptables.minSyncPeriod", "--iptables-min-sync-period", "DURATION", "0s"),
    NFTABLES_MASQUERADE_ALL(Group.RULES, "nftables.masqueradeAll", "--nftables-masquerade-all", "", "false"),
    NFTABLES_MASQUERADE_BIT(Group.RULES, "nftables.masqueradeBit", "--nftables-masquerade-bit", "BIT", "14"),
    NFTABLES_SYNC_PERIOD(Group.RULES, "nftables.syncPeriod", "--nftables-sync-period", "DURATION", "30s"),
    NFTABLES_MIN_SYNC_PERIOD(Group.RULES, "nftables.minSyncPeriod", "--nftables-min-sync-period", "DURATION", "0s"),
    CONNTRACK_DRAIN_TCP(Group.CONNTRACK, "dualstackd.drainTcpAfter", "--conntrack-drain-tcp-after", "DURATION", "0s"),
    CONNTRACK_MAX_PER_CORE(Group.CONNTRACK, "conntrack.maxPerCore", "--conntrack-max-per-core", "N", "32768"),
    CONNTRACK_MIN(Group.CONNTRACK, "conntrack.min", "--conntrack-min", "N", "131072"),
    CONNTRACK_TCP_ESTABLISHED(
            Group.CONNTRACK,
            "conntrack.tcpEstablishedTimeout",
            "--conntrack-tcp-timeout-established",
            "DURATION",
            "24h"),
    CONNTRACK_TCP_CLOSE_WAIT(
            Group.CONNTRACK, "conntrack.tcpCloseWaitTimeout", "--conntrack-tcp-timeout-close-wait", "DURATION", "1h"),
    CONNTRACK_TCP_BE_LIBERAL(Group.CONNTRACK, "conntrack.tcpBeLiberal", "--conntrack-tcp-be-liberal", "", "false"),
    CONNTRACK_UDP(Group.CONNTRACK, "conntrack.udpTimeout", "--conntrack-udp-timeout", "DURATION", "0s"),
    CONNTRACK_UDP_STREAM(
            Group.CONNTRACK, "conntrack.udpStreamTimeout", "--conntrack-udp-timeout-stream", "DURATION", "0s"),
    SET_FORWARDING(Group.HOST, "dualstackd.setForwarding", "--set-forwarding", "", "true"),
    OOM_SCORE_ADJ(Group.HOST, "oomScoreAdj", "--oom-score-adj", "N", "-999"),
    HEALTHZ_BIND_ADDRESS(Group.ENDPOINTS, "healthzBindAddress", "--healthz-bind-address", "ADDR:PORT", "0.0.0.0:10256"),
    METRICS_BIND_ADDRESS(
            Group.ENDPOINTS, "metricsBindAddress", "--metrics-bind-address", "ADDR:PORT", "127.0.0.1:10249"),
    BIND_ADDRESS_HARD_FAIL(Group.ENDPOINTS, "bindAddressHardFail", "--bind-address-hard-fail", "", "false"),
    HEALTHZ_PORT(Group.ENDPOINTS, "", "--healthz-port", "PORT", "10256"),
    METRICS_PORT(Group.ENDPOINTS, "", "--metrics-port", "PORT", "10249"),
    VERBOSITY(Group.LOGGING, "logging.verbosity", "--v", "N", "0"),
    LOGGING_FORMAT(Group.LOGGING, "logging.format", "--logging-format", "FORMAT", "text"),
    VMODULE(Group.LOGGING, "", "--vmodule", "PATTERN=N[,PATTERN=N…]", ""),
    LOG_FLUSH(Group.LOGGING, "logging.flushFrequency", "--log-flush-frequency", "DURATION", "5s"),
    LOG_JSON_BUFFER(Group.LOGGING, "logging.options.json.infoBufferSize", "--log-json-info-buffer-size", "SIZE", "0"),
    LOG_JSON_SPLIT(Group.LOGGING, "logging.options.json.splitStream", "--log-json-split-stream", "", "false"),
    LOG_TEXT_BUFFER(Group.LOGGING, "logging.options.text.infoBufferSize", "--log-text-info-buffer-size", "SIZE", "0"),
    LOG_TEXT_SPLIT(Group.LOGGING, "logging.options.text.splitStream", "--log-text-split-stream", "", "false"),
    FEATURE_GATES(Group.COMPATIBLE, "featureGates", "--feature-gates", "NAME=true|false[,…]", ""),
    CONFIG_SYNC_PERIOD(Group.COMPATIBLE, "configSyncPeriod", "--config-sync-period", "DURATION", "15m"),
    PROFILING(Group.COMPATIBLE, "enableProfiling", "--profiling", "", "false"),
    SHOW_HIDDEN_METRICS(
            Group.COMPATIBLE, "showHiddenMetricsForVersion", "--show-hidden-metrics-for-version", "VERSION", ""),
    BOOT_ID_FILE(Group.COMPATIBLE, "", "--boot-id-file", "FILE[,FILE…]", "/proc/sys/kernel/random/boot_id"),
    MACHINE_ID_FILE(
            Group.COMPATIBLE, "", "--machine-id-file", "FILE[,FILE…]", "/etc/machine-id,/var/lib/dbus/machine-id"),
    IPVS_SYNC_PERIOD(Group.IPVS, "ipvs.syncPeriod", "--ipvs-sync-period", "DURATION", "30s"),
    IPVS_MIN_SYNC_PERIOD(Group.IPVS, "ipvs.minSyncPeriod", "--ipvs-min-sync-period", "DURATION", "0s"),
    IPVS_SCHEDULER(Group.IPVS, "ipvs.scheduler", "--ipvs-scheduler", "NAME", ""),
    IPVS_EXCLUDE_CIDRS(Group.IPVS, "ipvs.excludeCIDRs", "--ipvs-exclude-cidrs", "CIDR[,CIDR…]", ""),
    IPVS_STRICT_ARP(Group.IPVS, "ipvs.strictARP", "--ipvs-strict-arp", "", "false"),
    IPVS_TCP_TIMEOUT(Group.IPVS, "ipvs.tcpTimeout", "--ipvs-tcp-timeout", "DURATION", "0s"),
    IPVS_TCPFIN_TIMEOUT(Group.IPVS, "ipvs.tcpFinTimeout", "--ipvs-tcpfin-timeout", "DURATION", "0s"),
    IPVS_UDP_TIMEOUT(Group.IPVS, "ipvs.udpTimeout", "--ipvs-udp-timeout", "DURATION", "0s");

    /** Where keys live that kube-proxy does not know. */
    public static final String OWN = "dualstackd.";

    private final Group group;
    private final String path;
    private final String flag;
    private final String parameter;
    private final String fallback;

    Key(Group group, String path, String flag, String parameter, String fallback) {
        this.group = group;
        this.path = path;
        this.flag = flag;
        this.parameter = parameter;
        this.fallback = fallback;
    }

    /** What is shown together. */
    public Group group() {
        return group;
    }

    /** In the file: {@code iptables.masqueradeBit}; empty for what only exists on the command line. */
    public String path() {
        return path;
    }

    /** On the command line, with its dashes. */
    public String flag() {
        return flag;
    }

    /** All its spellings on the command line, the usual one first. */
    public List<String> flags() {
        return this == VERBOSITY ? List.of(flag, "-v") : List.of(flag);
    }

    /** What stands behind the flag in help texts; empty for truth values, which may stand alone. */
    public String parameter() {
        return parameter;
    }

    /** One sentence for people. */
    public String help() {
        return KeyHelp.of(this);
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
        return parameter.contains("[,") && !isMap();
    }

    /** True when the file has an object of truth values here, which the flag writes {@code A=true,B=false}. */
    public boolean isMap() {
        return this == FEATURE_GATES;
    }

    /** True when the flag is ours: kube-proxy has no flag of this name. */
    public boolean isOwnFlag() {
        return switch (this) {
            case NFTABLES_MASQUERADE_ALL, NFTABLES_MASQUERADE_BIT, NFTABLES_SYNC_PERIOD, NFTABLES_MIN_SYNC_PERIOD ->
                true;
            case MASTER -> false;
            default -> path.startsWith(OWN);
        };
    }

    /** True when the flag counts beside a configuration file; kube-proxy ignores all others of its flags then. */
    public boolean isHeardBesideFile() {
        return isOwnFlag() || group == Group.LOGGING || this == HOSTNAME_OVERRIDE || this == MASTER;
    }

    /** True when a change of it counts at once when the configuration is read again; everything else needs a restart. */
    public boolean isLive() {
        return switch (group) {
            case LOGGING, COMPATIBLE, HOST -> true;
            case CONNTRACK -> this != CONNTRACK_DRAIN_TCP;
            case RULES ->
                this != MODE && this != IPTABLES_VARIANT && this != MASQUERADE_BIT && this != NFTABLES_MASQUERADE_BIT;
            case IPVS -> this != IPVS_SCHEDULER && this != IPVS_EXCLUDE_CIDRS;
            case NODE -> this == NODE_IPS || this == NODE_IP || this == ZONE;
            case DAEMON -> this == LOG_LEVEL || this == LOG_FORMAT;
            case SOURCE, ENDPOINTS -> false;
        };
    }

    /** True when a zero in the file stands for the default, as generated files have it. */
    boolean isZeroUnsaid() {
        return switch (this) {
            case SYNC_PERIOD,
                    MIN_SYNC_PERIOD,
                    NFTABLES_SYNC_PERIOD,
                    NFTABLES_MIN_SYNC_PERIOD,
                    IPVS_SYNC_PERIOD,
                    CONFIG_SYNC_PERIOD,
                    KUBE_API_QPS,
                    KUBE_API_BURST -> true;
            default -> false;
        };
    }

    static Optional<Key> ofPath(String path) {
        return Arrays.stream(values()).filter(k -> k.path.equals(path)).findFirst();
    }
}
