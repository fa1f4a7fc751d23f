package io.dualstackd.agent.config;

/** The description of each setting: one sentence, for help texts and the manual. */
final class KeyHelp {
    private KeyHelp() {}

    static String of(Key key) {
        return switch (key) {
            case KUBECONFIG -> "How to reach the API server; empty: as the service account of the pod this runs in.";
            case MASTER -> "Address of the API server, instead of the one in the kubeconfig.";
            case KUBE_API_CONTENT_TYPE ->
                "What to ask the API server for: application/vnd.kubernetes.protobuf or application/json.";
            case KUBE_API_QPS ->
                "Single requests to the API server per second, in the long run; 0 for no limit. Watches do not count.";
            case KUBE_API_BURST -> "Single requests to the API server at once.";
            case STANDALONE -> "Work without an API server, from manifests.";
            case MANIFESTS ->
                "Folder with Services, EndpointSlices, Endpoints, Nodes and ServiceCIDRs as YAML or JSON; watched for changes.";
            case SERVICE_CLUSTER_IP_RANGE ->
                "Give Services of manifests their cluster IPs out of these networks, one per IP family, that of the default family first, and node ports and defaults as an API server does; empty: Services are used as they are written.";
            case SERVICE_NODE_PORT_RANGE ->
                "Ports for Services of type NodePort and LoadBalancer, with --service-cluster-ip-range.";
            case SERVICE_API_SEMANTICS ->
                "Where the text of KEP-563 and API servers differ about a Service's IP families: kubernetes or kep563.";
            case KEEP_KUBERNETES_SERVICE_IP ->
                "Keep the first address of each network for Service default/kubernetes, as an API server does; no other Service gets it.";
            case SERVICE_CIDR_GRACE ->
                "How long a deleted ServiceCIDR stays at least; KEP-1880 says 60s, Kubernetes 10s.";
            case HOSTNAME_OVERRIDE -> "Name of this node, as in endpoints' nodeName; empty: the host's name.";
            case NODE_IPS ->
                "This node's own IPs, the primary one first: addresses, ipv4, ipv6, networks like 10.0.0.0/8 or interface:NAME, one element or two of different families; see 'dualstackd addresses'. Empty: from the Node object, else ipv4,ipv6.";
            case NODE_IP ->
                "Deprecated, kubelet's: as --node-ips, with 0.0.0.0 for ipv4 and :: for ipv6; what is no address is ignored.";
            case BIND_ADDRESS ->
                "Addresses, one per IP family: one that is not 0.0.0.0 or :: is the node's IP of its family, before all others. If the first one is IPv6, the addresses for health and metrics default to IPv6, too.";
            case ZONE -> "Topology zone of this node; empty: from the Node object.";
            case CRI ->
                "Socket of the container runtime (unix:///PATH), to know this node's pods; empty: they are not followed.";
            case POD_CIDR ->
                "Networks of this node's pods, one per IP family, passed to the container runtime, and known as local"
                        + " traffic in mode NodeCIDR; empty: from the Node object.";
            case NODE_CIDR_MASK_SIZE_IPV4 ->
                "Without a cluster and --pod-cidr, this node's pods have the first IPv4 network of this length in --cluster-cidr; counts if it is given, or --write-cni.";
            case NODE_CIDR_MASK_SIZE_IPV6 -> "The same for IPv6.";
            case WRITE_CNI ->
                "Write a CNI configuration for this node's pods to this file: a bridge, with addresses of --pod-cidr or, without it, of --cluster-cidr; a file that dualstackd did not write is never overwritten.";
            case POD_IP_ORDER ->
                "Which address of a pod comes first: node: that of the first family of --node-ips, as with kubelet, else of --service-cluster-ip-range; runtime: the one the container runtime names first, as in KEP-563.";
            case MANAGE_NODE_ADDRESSES ->
                "Keep status.addresses of the own Node object: off; order: put what a cloud provider wrote into the order of --node-ips; filter: order, and remove addresses of a family that --node-ips does not mention; provide: be the provider on bare metal for kubelets with --cloud-provider=external.";
            case REPORT_POD_IPS ->
                "Compare the addresses in pods' statuses with what the container runtime says, tell of differences and correct them where that is allowed; needs --cri.";
            case LOCAL_FAILOVER ->
                "Take a pod of this node out of service as soon as the container runtime says that it is dead.";
            case LOG_LEVEL -> "error, warn, info, debug or trace.";
            case LOG_FORMAT -> "Log lines as text or json.";
            case UI_BIND_ADDRESS ->
                "Where a read-only page for browsers answers, for example 127.0.0.1:10246; empty: nowhere. It asks for no password.";
            case ADMIN_SOCKET -> "Where 'dualstackd status' finds the daemon; empty: nowhere.";
            case STATE_DIR ->
                "Where the daemon may write: copies of good manifests, for a start while one is broken; empty: nowhere.";
            case DNS_LISTEN ->
                "Answer DNS questions about Services on these addresses of the node, port 53 if none is given; node: on the node's own IPs, port 10053; empty: nowhere. Only with --standalone.";
            case DNS_DOMAIN -> "The domain of Services in DNS.";
            case DNS_UPSTREAM ->
                "Resolvers for all other names: addresses, or the path of a file like /etc/resolv.conf, which is followed; none: such questions are refused.";
            case DNS_CLUSTER_IPS ->
                "Cluster IPs of the Service kube-system/kube-dns, one per IP family; empty: the tenth address of each network of --service-cluster-ip-range.";
            case DNS_CLIENTS ->
                "Networks whose clients are answered, besides the node itself and its pods; empty: where networks of pods are not known, private networks.";
            case DNS_TTL -> "How long clients may remember names of Services, at most 1h, in whole seconds.";
            case MODE -> "How rules are written: iptables, nftables, or ipvs, which kube-proxy gives up.";
            case IPTABLES_VARIANT ->
                "Where iptables rules are kept: nf_tables, legacy, or auto for the one that this host uses.";
            case CLUSTER_CIDR -> "Network of the cluster's pods, one per IP family, for ClusterCIDR.";
            case DETECT_LOCAL_MODE ->
                "How to know traffic of local pods: ClusterCIDR, NodeCIDR, BridgeInterface or InterfaceNamePrefix.";
            case BRIDGE_INTERFACE -> "The bridge of local pods, for BridgeInterface.";
            case INTERFACE_NAME_PREFIX -> "How names of pod interfaces begin, for InterfaceNamePrefix.";
            case NODE_PORT_ADDRESSES ->
                "Node ports answer on the node's addresses inside these networks; primary: on the node's IPs; empty: primary in nftables mode, else on all.";
            case MASQUERADE_ALL -> "Masquerade all traffic to cluster IPs.";
            case MASQUERADE_BIT -> "Bit of the packet mark that asks for masquerade, 0 to 31.";
            case LOCALHOST_NODE_PORTS -> "Let node ports answer on 127.0.0.1, too (IPv4 and iptables mode only).";
            case SYNC_PERIOD -> "How often to compare with the kernel although nothing happened.";
            case MIN_SYNC_PERIOD -> "Least time between two changes of the kernel's rules; 0s changes them at once.";
            case NFTABLES_MASQUERADE_ALL -> "As --masquerade-all, in nftables mode, where that flag counts, too.";
            case NFTABLES_MASQUERADE_BIT -> "As --iptables-masquerade-bit, in nftables mode.";
            case NFTABLES_SYNC_PERIOD -> "As --iptables-sync-period, in nftables mode.";
            case NFTABLES_MIN_SYNC_PERIOD -> "As --iptables-min-sync-period, in nftables mode.";
            case CONNTRACK_DRAIN_TCP ->
                "End TCP connections to endpoints that are gone for that long; 0 lets them end by themselves.";
            case CONNTRACK_MAX_PER_CORE ->
                "Connections the kernel may track, per processor, at most 1048576 in all; 0 leaves it.";
            case CONNTRACK_MIN -> "Connections the kernel may track at least, however few processors there are.";
            case CONNTRACK_TCP_ESTABLISHED -> "How long the kernel remembers a silent TCP connection; 0 leaves it.";
            case CONNTRACK_TCP_CLOSE_WAIT ->
                "How long the kernel remembers a TCP connection one side has closed; 0 leaves it.";
            case CONNTRACK_TCP_BE_LIBERAL -> "Let the kernel track TCP packets outside the window; false leaves it.";
            case CONNTRACK_UDP -> "How long the kernel remembers UDP without an answer; 0 leaves it.";
            case CONNTRACK_UDP_STREAM -> "How long the kernel remembers UDP that is answered; 0 leaves it.";
            case SET_FORWARDING -> "Switch IP forwarding on where the kernel has it off; false: only say so.";
            case OOM_SCORE_ADJ ->
                "How likely the kernel ends this process when memory is short, -1000 (never) to 1000.";
            case HEALTHZ_BIND_ADDRESS ->
                "Where /healthz and /livez answer; a wildcard address means both IP families; empty flag: nowhere.";
            case METRICS_BIND_ADDRESS -> "Where /metrics (Prometheus) and /proxyMode answer; empty flag: nowhere.";
            case BIND_ADDRESS_HARD_FAIL ->
                "Do not start when one of these addresses cannot be had; otherwise it is tried again every 5 s.";
            case HEALTHZ_PORT ->
                "Deprecated: port of --healthz-bind-address when that names none; 0: nowhere. Ignored with --config.";
            case METRICS_PORT ->
                "Deprecated: port of --metrics-bind-address when that names none; 0: nowhere. Ignored with --config.";
            case VERBOSITY ->
                "As kube-proxy's: from 4 on --log-level debug, from 6 on trace, unless --log-level is given.";
            case LOGGING_FORMAT -> "As --log-format, unless that is given.";
            case VMODULE -> "Files of kube-proxy's source to log more of; accepted, has no effect.";
            case LOG_FLUSH, LOG_JSON_BUFFER, LOG_TEXT_BUFFER -> "Accepted, has no effect: lines are written at once.";
            case LOG_JSON_SPLIT, LOG_TEXT_SPLIT -> "Accepted, has no effect: all lines go to standard error.";
            case FEATURE_GATES ->
                "Feature gates of Kubernetes 1.36: checked, has no effect: what is stable there is always on here.";
            case CONFIG_SYNC_PERIOD ->
                "Accepted, has no effect: every change of an object is received, and missed ones are detected.";
            case BOOT_ID_FILE, MACHINE_ID_FILE ->
                "Accepted, has no effect: nothing here asks which machine or boot this is.";
            case PROFILING -> "Accepted, has no effect: there are no profiles of Go to show.";
            case SHOW_HIDDEN_METRICS ->
                "The previous minor version of Kubernetes, like 1.35; accepted, has no effect: no metric is hidden.";
            case IPVS_SYNC_PERIOD -> "As --iptables-sync-period, in ipvs mode.";
            case IPVS_MIN_SYNC_PERIOD -> "As --iptables-min-sync-period, in ipvs mode.";
            case IPVS_SCHEDULER -> "How endpoints are chosen, by the kernel's name: rr (default), lc, sh, mh, ….";
            case IPVS_EXCLUDE_CIDRS ->
                "Virtual servers on these networks belong to other programs and stay as they are.";
            case IPVS_STRICT_ARP ->
                "ARP is answered only for addresses of the link that is asked: other links do not claim Services'.";
            case IPVS_TCP_TIMEOUT -> "How long IPVS remembers TCP connections without packets; 0 leaves it as it is.";
            case IPVS_TCPFIN_TIMEOUT ->
                "How long IPVS remembers TCP connections that one end has closed; 0 leaves it as it is.";
            case IPVS_UDP_TIMEOUT -> "How long IPVS remembers UDP flows; 0 leaves it as it is.";
        };
    }
}
