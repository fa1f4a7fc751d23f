package io.dualstackd.agent.config;

/** The description of each setting: one sentence, for help texts and the manual. */
final class KeyHelp {
    private KeyHelp() {}

    static String of(Key key) {
        return switch (key) {
            case KUBECONFIG -> "How to reach the API server; empty: as the service account of the pod this runs in.";
            case MASTER -> "Address of the API server, instead of the one in the kubeconfig.";
            case KUBE_API_CONTENT_TYPE ->
                "Format of the API server's responses: application/vnd.kubernetes.protobuf or application/json.";
            case KUBE_API_QPS ->
                "Sustained rate of single requests to the API server, per second; 0 or less for no limit. Watches do not count.";
            case KUBE_API_BURST -> "Single requests to the API server that may be sent in a burst.";
            case STANDALONE -> "Work without an API server, from manifests.";
            case MANIFESTS ->
                "Folder with Services, EndpointSlices, Endpoints, Nodes and ServiceCIDRs as YAML or JSON; watched for changes.";
            case SERVICE_CLUSTER_IP_RANGE ->
                "Allocate cluster IPs to Services of manifests from these networks, one per IP family, that of the default family first, and node ports and defaults as an API server does; empty: Services are used as they are written.";
            case SERVICE_NODE_PORT_RANGE ->
                "Ports for Services of type NodePort and LoadBalancer, with --service-cluster-ip-range.";
            case SERVICE_API_SEMANTICS ->
                "Where the text of KEP-563 and API servers differ about a Service's IP families: kubernetes or kep563.";
            case KEEP_KUBERNETES_SERVICE_IP ->
                "Keep the first address of each network for Service default/kubernetes, as an API server does; no other Service gets it.";
            case SERVICE_CIDR_GRACE ->
                "How long a deleted ServiceCIDR is kept at least; KEP-1880 specifies 60s, Kubernetes uses 10s.";
            case HOSTNAME_OVERRIDE -> "Name of this node, as in endpoints' nodeName; empty: the host's name.";
            case NODE_IPS ->
                "This node's own IPs, the primary one first: addresses, ipv4, ipv6, networks like 10.0.0.0/8 or interface:NAME, one element or two of different families; see 'dualstackd addresses'. Empty: from the Node object, else ipv4,ipv6.";
            case NODE_IP ->
                "Deprecated, a flag of kubelet: as --node-ips, with 0.0.0.0 for ipv4 and :: for ipv6; anything that is not an address is ignored.";
            case BIND_ADDRESS ->
                "Addresses, one per IP family: one other than 0.0.0.0 or :: becomes the node's IP of its family and takes precedence over all other settings. If the first one in a file is IPv6, the addresses for health and metrics default to IPv6, too.";
            case ZONE -> "Topology zone of this node; empty: from the Node object.";
            case CRI ->
                "Socket of the container runtime (unix:///PATH), from which the pods of this node are read; empty: they are not followed.";
            case POD_CIDR ->
                "Networks of this node's pods, one per IP family, passed to the container runtime, and known as local"
                        + " traffic in mode NodeCIDR; empty: from the Node object.";
            case NODE_CIDR_MASK_SIZE_IPV4 ->
                "Without a cluster and without --pod-cidr, this node's pods use the first IPv4 network of this prefix length in --cluster-cidr; only used if this flag or --write-cni is given.";
            case NODE_CIDR_MASK_SIZE_IPV6 -> "The same for IPv6.";
            case WRITE_CNI ->
                "Write a CNI configuration for this node's pods to this file: a bridge, with addresses of --pod-cidr or, without it, of --cluster-cidr; a file that dualstackd did not write is never overwritten.";
            case POD_IP_ORDER ->
                "Which address of a pod comes first. node: the one in the first family of --node-ips, as with kubelet, or else of --service-cluster-ip-range; runtime: the one the container runtime lists first, as in KEP-563.";
            case MANAGE_NODE_ADDRESSES ->
                "Manage status.addresses of this node's Node object. off: leave them; order: sort what a cloud provider wrote by --node-ips; filter: sort, and remove addresses of a family that --node-ips does not mention; provide: act as the provider on bare metal for kubelets with --cloud-provider=external.";
            case REPORT_POD_IPS ->
                "Compare the addresses in pods' statuses with those that the container runtime reports, report differences and correct them where that is allowed; needs --cri.";
            case LOCAL_FAILOVER ->
                "Remove a pod of this node from its Services as soon as the container runtime reports that it is dead.";
            case LOG_LEVEL -> "error, warn, info, debug or trace.";
            case LOG_FORMAT -> "Log lines as text or json.";
            case UI_BIND_ADDRESS ->
                "Address of a read-only page for browsers, for example 127.0.0.1:10246; empty: none. The page requires no password.";
            case ADMIN_SOCKET ->
                "Unix socket through which 'dualstackd status' and other commands reach the daemon; empty: none.";
            case STATE_DIR ->
                "Folder in which the daemon keeps its state, such as the last good version of each manifest; empty: none.";
            case DNS_LISTEN ->
                "Answer DNS queries for names of Services on these addresses of the node, port 53 if none is given; node: on the node's own IPs, port 10053; empty: no DNS server. Only with --standalone.";
            case DNS_DOMAIN -> "The domain of Services in DNS.";
            case DNS_UPSTREAM ->
                "Resolvers for all other names: addresses, or the path of a file like /etc/resolv.conf, which is watched for changes; none: such queries are refused.";
            case DNS_CLUSTER_IPS ->
                "Cluster IPs of the Service kube-system/kube-dns, one per IP family; empty: the tenth address of each network of --service-cluster-ip-range.";
            case DNS_CLIENTS ->
                "Networks whose clients are answered, in addition to the node itself and its pods; empty: private networks, where the networks of pods are not known.";
            case DNS_TTL -> "How long clients may cache names of Services, at most 1h, in whole seconds.";
            case MODE -> "How Services are programmed: iptables, nftables, or ipvs, which kube-proxy has deprecated.";
            case IPTABLES_VARIANT ->
                "Which variant of iptables holds the rules: nf_tables, legacy, or auto for the one that this host uses.";
            case CLUSTER_CIDR -> "Networks of the cluster's pods, one per IP family, for mode ClusterCIDR.";
            case DETECT_LOCAL_MODE ->
                "How traffic of local pods is detected: ClusterCIDR, NodeCIDR, BridgeInterface or InterfaceNamePrefix.";
            case BRIDGE_INTERFACE -> "Bridge interface of local pods, for mode BridgeInterface.";
            case INTERFACE_NAME_PREFIX -> "Prefix of the names of pod interfaces, for mode InterfaceNamePrefix.";
            case NODE_PORT_ADDRESSES ->
                "Networks: node ports answer on the node's addresses in them. primary: on the node's IPs only; empty: primary in nftables mode, all addresses in other modes.";
            case MASQUERADE_ALL -> "Masquerade all traffic to cluster IPs.";
            case MASQUERADE_BIT -> "Bit of the packet mark that requests masquerading, 0 to 31.";
            case LOCALHOST_NODE_PORTS -> "Let node ports answer on 127.0.0.1, too (IPv4 and iptables mode only).";
            case SYNC_PERIOD -> "How often to compare the rules with the kernel even if nothing changed.";
            case MIN_SYNC_PERIOD -> "Minimum time between two changes of the kernel's rules; 0s changes them at once.";
            case NFTABLES_MASQUERADE_ALL -> "As --masquerade-all, in nftables mode, where either flag is enough.";
            case NFTABLES_MASQUERADE_BIT -> "As --iptables-masquerade-bit, in nftables mode.";
            case NFTABLES_SYNC_PERIOD ->
                "In nftables mode; without it, the flag --iptables-sync-period applies there, too.";
            case NFTABLES_MIN_SYNC_PERIOD ->
                "In nftables mode; without it, the flag --iptables-min-sync-period applies there, too.";
            case ENDPOINT_COUNTERS ->
                "In nftables mode, count the new connections of each endpoint, for 'dualstackd top --by endpoint'; takes 16 bytes per processor for each endpoint of each address of a Service.";
            case CONNTRACK_DRAIN_TCP ->
                "Close TCP connections to an endpoint this long after it is gone; 0 lets them end by themselves.";
            case CONNTRACK_MAX_PER_CORE ->
                "Maximum number of connections the kernel tracks, per processor, at most 1048576 in total; 0 leaves the setting.";
            case CONNTRACK_MIN ->
                "Minimum for the number of connections the kernel tracks, regardless of the number of processors.";
            case CONNTRACK_TCP_ESTABLISHED ->
                "How long the kernel keeps an idle established TCP connection; 0 leaves the setting.";
            case CONNTRACK_TCP_CLOSE_WAIT ->
                "How long the kernel keeps a TCP connection that one side has closed; 0 leaves the setting.";
            case CONNTRACK_TCP_BE_LIBERAL ->
                "Let the kernel track TCP packets outside the window; false leaves the setting.";
            case CONNTRACK_UDP -> "How long the kernel keeps a UDP flow without a reply; 0 leaves the setting.";
            case CONNTRACK_UDP_STREAM -> "How long the kernel keeps a UDP flow with replies; 0 leaves the setting.";
            case SET_FORWARDING ->
                "Enable IP forwarding in the kernel where it is off; false: only log that it is off.";
            case OOM_SCORE_ADJ ->
                "How likely the kernel kills this process when memory is short, -1000 (never) to 1000.";
            case HEALTHZ_BIND_ADDRESS ->
                "Address of /healthz, /livez and /readyz; a wildcard address means both IP families; an empty flag: none.";
            case METRICS_BIND_ADDRESS -> "Address of /metrics (Prometheus) and /proxyMode; an empty flag: none.";
            case BIND_ADDRESS_HARD_FAIL ->
                "Do not start if one of these addresses cannot be listened on; otherwise it is retried every 5 s.";
            case HEALTHZ_PORT ->
                "Deprecated: port of --healthz-bind-address if that has none; 0: no such address. Ignored with --config.";
            case METRICS_PORT ->
                "Deprecated: port of --metrics-bind-address if that has none; 0: no such address. Ignored with --config.";
            case VERBOSITY ->
                "Verbosity as for kube-proxy: 4 and above mean --log-level debug, 6 and above trace, unless --log-level is given.";
            case LOGGING_FORMAT -> "As --log-format, unless that is given.";
            case VMODULE -> "Files of kube-proxy's source to log more of; accepted, has no effect.";
            case LOG_FLUSH, LOG_JSON_BUFFER, LOG_TEXT_BUFFER -> "Accepted, has no effect: lines are written at once.";
            case LOG_JSON_SPLIT, LOG_TEXT_SPLIT -> "Accepted, has no effect: all lines go to standard error.";
            case FEATURE_GATES ->
                "Feature gates of Kubernetes 1.36. AllowServiceExternalIPs=false: Services are not served on their external IPs. The others are "
                        + "checked and have no effect: features that are stable there are always on here.";
            case CONFIG_SYNC_PERIOD ->
                "Accepted, has no effect: every change of an object is received, and missed ones are detected.";
            case BOOT_ID_FILE, MACHINE_ID_FILE ->
                "Accepted, has no effect: dualstackd does not use the machine id or boot id.";
            case PROFILING -> "Accepted, has no effect: there are no Go profiles.";
            case SHOW_HIDDEN_METRICS ->
                "The previous minor version of Kubernetes, like 1.35; accepted, has no effect: no metric is hidden.";
            case IPVS_SYNC_PERIOD -> "As --iptables-sync-period, in ipvs mode.";
            case IPVS_MIN_SYNC_PERIOD -> "As --iptables-min-sync-period, in ipvs mode.";
            case IPVS_SCHEDULER -> "IPVS scheduler, by the kernel's name: rr (default), lc, sh, mh, ….";
            case IPVS_EXCLUDE_CIDRS ->
                "Virtual servers in these networks belong to other programs and are not touched, except those that a Service wants.";
            case IPVS_STRICT_ARP ->
                "Answer ARP only for addresses of the interface that receives the request, so that other interfaces do not claim addresses of Services.";
            case IPVS_TCP_TIMEOUT -> "How long IPVS keeps idle TCP connections; 0 leaves the setting.";
            case IPVS_TCPFIN_TIMEOUT ->
                "How long IPVS keeps TCP connections that one end has closed; 0 leaves the setting.";
            case IPVS_UDP_TIMEOUT -> "How long IPVS keeps idle UDP flows; 0 leaves the setting.";
        };
    }
}
