package io.dualstackd.agent.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Every setting: its key in the file, its flag, its default. Its help text is in {@link KeyHelp}. */
public enum Key {
    KUBECONFIG(SettingGroup.SOURCE, "clientConnection.kubeconfig", "--kubeconfig", "FILE", ""),
    MASTER(SettingGroup.SOURCE, "dualstackd.master", "--master", "URI", ""),
    KUBE_API_CONTENT_TYPE(
            SettingGroup.SOURCE,
            "clientConnection.contentType",
            "--kube-api-content-type",
            "TYPE",
            "application/vnd.kubernetes.protobuf"),
    KUBE_API_QPS(SettingGroup.SOURCE, "clientConnection.qps", "--kube-api-qps", "N", "5"),
    KUBE_API_BURST(SettingGroup.SOURCE, "clientConnection.burst", "--kube-api-burst", "N", "10"),
    STANDALONE(SettingGroup.SOURCE, "dualstackd.standalone", "--standalone", "", "false"),
    MANIFESTS(SettingGroup.SOURCE, "dualstackd.manifests", "--manifests", "DIR", ""),
    SERVICE_CLUSTER_IP_RANGE(
            SettingGroup.SOURCE, "dualstackd.serviceClusterIPRange", "--service-cluster-ip-range", "CIDR[,CIDR]", ""),
    SERVICE_NODE_PORT_RANGE(
            SettingGroup.SOURCE,
            "dualstackd.serviceNodePortRange",
            "--service-node-port-range",
            "FIRST-LAST",
            "30000-32767"),
    SERVICE_API_SEMANTICS(
            SettingGroup.SOURCE, "dualstackd.serviceAPISemantics", "--service-api-semantics", "WHOSE", "kubernetes"),
    KEEP_KUBERNETES_SERVICE_IP(
            SettingGroup.SOURCE, "dualstackd.keepKubernetesServiceIP", "--keep-kubernetes-service-ip", "", "true"),
    SERVICE_CIDR_GRACE(SettingGroup.SOURCE, "dualstackd.serviceCIDRGrace", "--service-cidr-grace", "DURATION", "10s"),
    HOSTNAME_OVERRIDE(SettingGroup.NODE, "hostnameOverride", "--hostname-override", "NAME", ""),
    NODE_IPS(SettingGroup.NODE, "dualstackd.nodeIPs", "--node-ips", "IP[,IP]", ""),
    NODE_IP(SettingGroup.NODE, "dualstackd.nodeIP", "--node-ip", "IP[,IP]", ""),
    BIND_ADDRESS(SettingGroup.NODE, "bindAddress", "--bind-address", "ADDR[,ADDR]", "0.0.0.0"),
    ZONE(SettingGroup.NODE, "dualstackd.zone", "--zone", "NAME", ""),
    CRI(SettingGroup.NODE, "dualstackd.cri", "--cri", "ENDPOINT", ""),
    POD_CIDR(SettingGroup.NODE, "dualstackd.podCIDR", "--pod-cidr", "CIDR[,CIDR]", ""),
    NODE_CIDR_MASK_SIZE_IPV4(
            SettingGroup.NODE, "dualstackd.nodeCIDRMaskSizeIPv4", "--node-cidr-mask-size-ipv4", "N", "24"),
    NODE_CIDR_MASK_SIZE_IPV6(
            SettingGroup.NODE, "dualstackd.nodeCIDRMaskSizeIPv6", "--node-cidr-mask-size-ipv6", "N", "64"),
    WRITE_CNI(SettingGroup.NODE, "dualstackd.writeCNI", "--write-cni", "FILE", ""),
    POD_IP_ORDER(SettingGroup.NODE, "dualstackd.podIPOrder", "--pod-ip-order", "WHOSE", "node"),
    MANAGE_NODE_ADDRESSES(
            SettingGroup.NODE, "dualstackd.manageNodeAddresses", "--manage-node-addresses", "WHAT", "off"),
    REPORT_POD_IPS(SettingGroup.NODE, "dualstackd.reportPodIPs", "--report-pod-ips", "", "false"),
    LOCAL_FAILOVER(SettingGroup.NODE, "dualstackd.localFailover", "--local-failover", "", "true"),
    LOG_LEVEL(SettingGroup.DAEMON, "dualstackd.logLevel", "--log-level", "LEVEL", "info"),
    LOG_FORMAT(SettingGroup.DAEMON, "dualstackd.logFormat", "--log-format", "FORMAT", "text"),
    UI_BIND_ADDRESS(SettingGroup.DAEMON, "dualstackd.uiBindAddress", "--ui-bind-address", "ADDR:PORT", ""),
    ADMIN_SOCKET(SettingGroup.DAEMON, "dualstackd.adminSocket", "--admin-socket", "PATH", "/run/dualstackd/admin.sock"),
    STATE_DIR(SettingGroup.DAEMON, "dualstackd.stateDir", "--state-dir", "DIR", "/var/lib/dualstackd"),
    DNS_LISTEN(SettingGroup.DNS, "dualstackd.dnsListen", "--dns-listen", "ADDR[:PORT][,ADDR[:PORT]…]", ""),
    DNS_DOMAIN(SettingGroup.DNS, "dualstackd.dnsDomain", "--dns-domain", "NAME", "cluster.local"),
    DNS_UPSTREAM(
            SettingGroup.DNS,
            "dualstackd.dnsUpstream",
            "--dns-upstream",
            "ADDR[:PORT][,ADDR[:PORT]…]",
            "/etc/resolv.conf"),
    DNS_CLUSTER_IPS(SettingGroup.DNS, "dualstackd.dnsClusterIPs", "--dns-cluster-ips", "IP[,IP]", ""),
    DNS_CLIENTS(SettingGroup.DNS, "dualstackd.dnsClients", "--dns-clients", "CIDR[,CIDR…]", ""),
    DNS_TTL(SettingGroup.DNS, "dualstackd.dnsTTL", "--dns-ttl", "DURATION", "5s"),
    MODE(SettingGroup.RULES, "mode", "--proxy-mode", "MODE", "iptables"),
    IPTABLES_VARIANT(SettingGroup.RULES, "dualstackd.iptablesVariant", "--iptables-variant", "VARIANT", "auto"),
    CLUSTER_CIDR(SettingGroup.RULES, "clusterCIDR", "--cluster-cidr", "CIDR[,CIDR]", ""),
    DETECT_LOCAL_MODE(SettingGroup.RULES, "detectLocalMode", "--detect-local-mode", "MODE", "ClusterCIDR"),
    BRIDGE_INTERFACE(SettingGroup.RULES, "detectLocal.bridgeInterface", "--pod-bridge-interface", "NAME", ""),
    INTERFACE_NAME_PREFIX(
            SettingGroup.RULES, "detectLocal.interfaceNamePrefix", "--pod-interface-name-prefix", "PREFIX", ""),
    NODE_PORT_ADDRESSES(SettingGroup.RULES, "nodePortAddresses", "--nodeport-addresses", "CIDR[,CIDR…]", ""),
    MASQUERADE_ALL(SettingGroup.RULES, "iptables.masqueradeAll", "--masquerade-all", "", "false"),
    MASQUERADE_BIT(SettingGroup.RULES, "iptables.masqueradeBit", "--iptables-masquerade-bit", "BIT", "14"),
    LOCALHOST_NODE_PORTS(
            SettingGroup.RULES, "iptables.localhostNodePorts", "--iptables-localhost-nodeports", "", "true"),
    SYNC_PERIOD(SettingGroup.RULES, "iptables.syncPeriod", "--iptables-sync-period", "DURATION", "30s"),
    MIN_SYNC_PERIOD(SettingGroup.RULES, "iptables.minSyncPeriod", "--iptables-min-sync-period", "DURATION", "0s"),
    NFTABLES_MASQUERADE_ALL(SettingGroup.RULES, "nftables.masqueradeAll", "--nftables-masquerade-all", "", "false"),
    NFTABLES_MASQUERADE_BIT(SettingGroup.RULES, "nftables.masqueradeBit", "--nftables-masquerade-bit", "BIT", "14"),
    NFTABLES_SYNC_PERIOD(SettingGroup.RULES, "nftables.syncPeriod", "--nftables-sync-period", "DURATION", "30s"),
    NFTABLES_MIN_SYNC_PERIOD(
            SettingGroup.RULES, "nftables.minSyncPeriod", "--nftables-min-sync-period", "DURATION", "0s"),
    ENDPOINT_COUNTERS(SettingGroup.RULES, "dualstackd.endpointCounters", "--endpoint-counters", "", "false"),
    FEATURE_GATES(SettingGroup.RULES, "featureGates", "--feature-gates", "NAME=true|false[,…]", ""),
    CONNTRACK_DRAIN_TCP(
            SettingGroup.CONNTRACK, "dualstackd.drainTcpAfter", "--conntrack-drain-tcp-after", "DURATION", "0s"),
    CONNTRACK_MAX_PER_CORE(SettingGroup.CONNTRACK, "conntrack.maxPerCore", "--conntrack-max-per-core", "N", "32768"),
    CONNTRACK_MIN(SettingGroup.CONNTRACK, "conntrack.min", "--conntrack-min", "N", "131072"),
    CONNTRACK_TCP_ESTABLISHED(
            SettingGroup.CONNTRACK,
            "conntrack.tcpEstablishedTimeout",
            "--conntrack-tcp-timeout-established",
            "DURATION",
            "24h"),
    CONNTRACK_TCP_CLOSE_WAIT(
            SettingGroup.CONNTRACK,
            "conntrack.tcpCloseWaitTimeout",
            "--conntrack-tcp-timeout-close-wait",
            "DURATION",
            "1h"),
    CONNTRACK_TCP_BE_LIBERAL(
            SettingGroup.CONNTRACK, "conntrack.tcpBeLiberal", "--conntrack-tcp-be-liberal", "", "false"),
    CONNTRACK_UDP(SettingGroup.CONNTRACK, "conntrack.udpTimeout", "--conntrack-udp-timeout", "DURATION", "0s"),
    CONNTRACK_UDP_STREAM(
            SettingGroup.CONNTRACK, "conntrack.udpStreamTimeout", "--conntrack-udp-timeout-stream", "DURATION", "0s"),
    SET_FORWARDING(SettingGroup.HOST, "dualstackd.setForwarding", "--set-forwarding", "", "true"),
    OOM_SCORE_ADJ(SettingGroup.HOST, "oomScoreAdj", "--oom-score-adj", "N", "-999"),
    HEALTHZ_BIND_ADDRESS(
            SettingGroup.ENDPOINTS, "healthzBindAddress", "--healthz-bind-address", "ADDR:PORT", "0.0.0.0:10256"),
    METRICS_BIND_ADDRESS(
            SettingGroup.ENDPOINTS, "metricsBindAddress", "--metrics-bind-address", "ADDR:PORT", "127.0.0.1:10249"),
    BIND_ADDRESS_HARD_FAIL(SettingGroup.ENDPOINTS, "bindAddressHardFail", "--bind-address-hard-fail", "", "false"),
    HEALTHZ_PORT(SettingGroup.ENDPOINTS, "", "--healthz-port", "PORT", "10256"),
    METRICS_PORT(SettingGroup.ENDPOINTS, "", "--metrics-port", "PORT", "10249"),
    VERBOSITY(SettingGroup.LOGGING, "logging.verbosity", "--v", "N", "0"),
    LOGGING_FORMAT(SettingGroup.LOGGING, "logging.format", "--logging-format", "FORMAT", "text"),
    VMODULE(SettingGroup.LOGGING, "", "--vmodule", "PATTERN=N[,PATTERN=N…]", ""),
    LOG_FLUSH(SettingGroup.LOGGING, "logging.flushFrequency", "--log-flush-frequency", "DURATION", "5s"),
    LOG_JSON_BUFFER(
            SettingGroup.LOGGING, "logging.options.json.infoBufferSize", "--log-json-info-buffer-size", "SIZE", "0"),
    LOG_JSON_SPLIT(SettingGroup.LOGGING, "logging.options.json.splitStream", "--log-json-split-stream", "", "false"),
    LOG_TEXT_BUFFER(
            SettingGroup.LOGGING, "logging.options.text.infoBufferSize", "--log-text-info-buffer-size", "SIZE", "0"),
    LOG_TEXT_SPLIT(SettingGroup.LOGGING, "logging.options.text.splitStream", "--log-text-split-stream", "", "false"),
    CONFIG_SYNC_PERIOD(SettingGroup.COMPATIBLE, "configSyncPeriod", "--config-sync-period", "DURATION", "15m"),
    PROFILING(SettingGroup.COMPATIBLE, "enableProfiling", "--profiling", "", "false"),
    SHOW_HIDDEN_METRICS(
            SettingGroup.COMPATIBLE, "showHiddenMetricsForVersion", "--show-hidden-metrics-for-version", "VERSION", ""),
    BOOT_ID_FILE(SettingGroup.COMPATIBLE, "", "--boot-id-file", "FILE[,FILE…]", "/proc/sys/kernel/random/boot_id"),
    MACHINE_ID_FILE(
            SettingGroup.COMPATIBLE,
            "",
            "--machine-id-file",
            "FILE[,FILE…]",
            "/etc/machine-id,/var/lib/dbus/machine-id"),
    IPVS_SYNC_PERIOD(SettingGroup.IPVS, "ipvs.syncPeriod", "--ipvs-sync-period", "DURATION", "30s"),
    IPVS_MIN_SYNC_PERIOD(SettingGroup.IPVS, "ipvs.minSyncPeriod", "--ipvs-min-sync-period", "DURATION", "0s"),
    IPVS_SCHEDULER(SettingGroup.IPVS, "ipvs.scheduler", "--ipvs-scheduler", "NAME", ""),
    IPVS_EXCLUDE_CIDRS(SettingGroup.IPVS, "ipvs.excludeCIDRs", "--ipvs-exclude-cidrs", "CIDR[,CIDR…]", ""),
    IPVS_STRICT_ARP(SettingGroup.IPVS, "ipvs.strictARP", "--ipvs-strict-arp", "", "false"),
    IPVS_TCP_TIMEOUT(SettingGroup.IPVS, "ipvs.tcpTimeout", "--ipvs-tcp-timeout", "DURATION", "0s"),
    IPVS_TCPFIN_TIMEOUT(SettingGroup.IPVS, "ipvs.tcpFinTimeout", "--ipvs-tcpfin-timeout", "DURATION", "0s"),
    IPVS_UDP_TIMEOUT(SettingGroup.IPVS, "ipvs.udpTimeout", "--ipvs-udp-timeout", "DURATION", "0s");

    /** The prefix of keys that kube-proxy does not have. */
    public static final String OWN = "dualstackd.";

    private final SettingGroup settingGroup;
    private final String path;
    private final String flag;
    private final String parameter;
    private final String fallback;

    Key(SettingGroup settingGroup, String path, String flag, String parameter, String fallback) {
        this.settingGroup = settingGroup;
        this.path = path;
        this.flag = flag;
        this.parameter = parameter;
        this.fallback = fallback;
    }

    /** The group in which help texts show it. */
    public SettingGroup settingGroup() {
        return settingGroup;
    }

    /** The path in the file: {@code iptables.masqueradeBit}; empty for what only exists on the command line. */
    public String path() {
        return path;
    }

    /** The flag on the command line, with its dashes. */
    public String flag() {
        return flag;
    }

    /** All its spellings on the command line, the usual one first. */
    public List<String> flags() {
        return this == VERBOSITY ? List.of(flag, "-v") : List.of(flag);
    }

    /** The placeholder behind the flag in help texts; empty for booleans, whose flag may be given without a value. */
    public String parameter() {
        return parameter;
    }

    /** A description in one sentence. */
    public String help() {
        return KeyHelp.of(this);
    }

    /** The value when neither file nor flag gives one. */
    public String fallback() {
        return fallback;
    }

    /** True when the flag may be given without a value and then means {@code true}. */
    public boolean isSwitch() {
        return parameter.isEmpty();
    }

    /** True when several values are possible, separated by commas or as a list in the file. */
    public boolean isList() {
        return parameter.contains("[,") && !isMap();
    }

    /** True when the file has an object of booleans here, which the flag writes {@code A=true,B=false}. */
    public boolean isMap() {
        return this == FEATURE_GATES;
    }

    /** True when the values of a flag that is given several times are one list. */
    public boolean isJoined() {
        return switch (this) {
            case NODE_PORT_ADDRESSES, IPVS_EXCLUDE_CIDRS, FEATURE_GATES, VMODULE -> true;
            default -> false;
        };
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

    /** True when the flag applies even with a configuration file; kube-proxy ignores all its other flags then. */
    public boolean appliesWithFile() {
        return isOwnFlag() || settingGroup == SettingGroup.LOGGING || this == HOSTNAME_OVERRIDE || this == MASTER;
    }

    /** True when a change of it applies at once when the configuration is read again; everything else needs a restart. */
    public boolean isLive() {
        return switch (settingGroup) {
            case LOGGING, COMPATIBLE, HOST -> true;
            case CONNTRACK -> this != CONNTRACK_DRAIN_TCP;
            case RULES ->
                this != MODE
                        && this != IPTABLES_VARIANT
                        && this != MASQUERADE_BIT
                        && this != NFTABLES_MASQUERADE_BIT
                        && this != ENDPOINT_COUNTERS
                        && this != FEATURE_GATES;
            case IPVS -> this != IPVS_SCHEDULER && this != IPVS_EXCLUDE_CIDRS;
            case NODE -> this == NODE_IPS || this == NODE_IP || this == ZONE;
            case DAEMON -> this == LOG_LEVEL || this == LOG_FORMAT;
            case SOURCE, DNS, ENDPOINTS -> false;
        };
    }

    /** True when a zero in the file means the default, as in generated files. */
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
