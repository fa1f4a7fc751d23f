package io.dualstackd.agent.config;

import io.dualstackd.agent.cluster.ClusterSettings;
import io.dualstackd.agent.cluster.WireFormat;
import io.dualstackd.agent.cri.RuntimeEndpoint;
import io.dualstackd.agent.health.ProxyAddresses;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.agent.pod.PodCidrs;
import io.dualstackd.agent.source.SourceSettings;
import io.dualstackd.agent.tree.Place;
import io.dualstackd.agent.tree.Problem;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.nodeaddr.LegacyNodeIp;
import io.dualstackd.nodeaddr.NodeIps;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Makes a configuration of a file and flags; flags win. */
public final class ConfigReader {
    /** Bytes of {@code sun_path} without its closing zero (107, see {@code unix(7)}), less what the temporary name adds. */
    private static final int MAX_SOCKET_PATH = 98;

    /** Bytes of an interface name without its closing zero: {@code IFNAMSIZ} of {@code linux/if.h}. */
    private static final int MAX_INTERFACE = 15;

    /**
     * A configuration file.
     *
     * @param name as the user knows it
     */
    public record Source(String name, String text) {}

    private enum LocalMode {
        CLUSTER("ClusterCIDR"),
        NODE("NodeCIDR"),
        BRIDGE("BridgeInterface"),
        PREFIX("InterfaceNamePrefix");

        private final String label;

        LocalMode(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    private final Values values;

    private ConfigReader(Map<Key, Given> given, List<Problem> problems) {
        this.values = new Values(given, problems);
    }

    /**
     * Reads both and reports everything that is wrong with either.
     *
     * @param flags those that were given, with their values
     */
    public static ConfigResult read(Optional<Source> file, Map<Key, String> flags) {
        List<Problem> problems = new ArrayList<>();
        Map<Key, Given> given = new EnumMap<>(Key.class);
        file.ifPresent(f -> given.putAll(ConfigFile.read(f.name(), f.text(), problems)));
        flags.forEach((key, text) -> given.put(key, new Given(text, new Place.Flag(key.flag()))));
        AgentConfig config = new ConfigReader(given, problems).config();
        return problems.stream().anyMatch(Problem::isError)
                ? new ConfigResult.Refused(problems)
                : new ConfigResult.Usable(config, problems);
    }

    private AgentConfig config() {
        ProxyMode mode = values.choice(Key.MODE, ProxyMode.class);
        return new AgentConfig(
                mode,
                rules(mode),
                detectLocal(),
                nodePortAddresses(mode),
                endpoints(),
                conntrack(),
                Optional.of(values.duration(Key.CONNTRACK_DRAIN_TCP)).filter(Duration::isPositive),
                new AgentConfig.NodeIdentity(
                        values.nonEmpty(Key.HOSTNAME_OVERRIDE).map(n -> n.toLowerCase(Locale.ROOT)),
                        nodeIps(),
                        values.nonEmpty(Key.ZONE)),
                source(),
                pods(),
                ServiceApiReader.read(values),
                new AgentConfig.Logging(
                        values.choice(Key.LOG_FORMAT, LogFormat.class), values.choice(Key.LOG_LEVEL, LogLevel.class)),
                adminSocket(),
                values.text(Key.STATE_DIR));
    }

    /** Both sections are checked, whichever is in force: a mistake must not wait for a change of the mode. */
    private AgentConfig.Rules rules(ProxyMode mode) {
        boolean masqueradeAll = values.bool(Key.MASQUERADE_ALL);
        AgentConfig.Rules iptables = section(
                values.number(Key.MASQUERADE_BIT, 0, 31),
                masqueradeAll,
                values.bool(Key.LOCALHOST_NODE_PORTS),
                Key.SYNC_PERIOD,
                Key.MIN_SYNC_PERIOD);
        AgentConfig.Rules nftables = section(
                values.number(Key.NFTABLES_MASQUERADE_BIT, 0, 31),
                values.bool(Key.NFTABLES_MASQUERADE_ALL) || (masqueradeAll && values.byFlag(Key.MASQUERADE_ALL)),
                false,
                Key.NFTABLES_SYNC_PERIOD,
                Key.NFTABLES_MIN_SYNC_PERIOD);
        return switch (mode) {
            case IPTABLES -> iptables;
            case NFTABLES -> nftables;
        };
    }

    private AgentConfig.Rules section(
            int masqueradeBit, boolean masqueradeAll, boolean localhostNodePorts, Key syncPeriod, Key minSyncPeriod) {
        Duration sync = values.duration(syncPeriod);
        Duration min = values.duration(minSyncPeriod);
        if (sync.isZero()) {
            values.refuse(syncPeriod, "must be more than zero");
        } else if (min.compareTo(sync) > 0) {
            values.refuse(minSyncPeriod, "must not be more than " + syncPeriod.path() + ", " + values.text(syncPeriod));
        }
        return new AgentConfig.Rules(masqueradeBit, masqueradeAll, localhostNodePorts, sync, min);
    }

    private DetectLocal detectLocal() {
        List<IpPrefix> clusterCidrs =
                onePerFamily(values.prefixes(Key.CLUSTER_CIDR), IpPrefix::family, Key.CLUSTER_CIDR);
        return switch (values.choice(Key.DETECT_LOCAL_MODE, LocalMode.class)) {
            case CLUSTER -> new DetectLocal.ClusterCidr(clusterCidrs);
            case NODE -> new DetectLocal.NodeCidr();
            case BRIDGE -> new DetectLocal.Bridge(interfaceName(Key.BRIDGE_INTERFACE, LocalMode.BRIDGE));
            case PREFIX -> new DetectLocal.InterfacePrefix(interfaceName(Key.INTERFACE_NAME_PREFIX, LocalMode.PREFIX));
        };
    }

    private String interfaceName(Key key, LocalMode mode) {
        String name = values.text(key);
        if (name.isEmpty()) {
            values.refuse(key, "required with " + Key.DETECT_LOCAL_MODE.path() + " " + mode);
        } else if (name.getBytes(StandardCharsets.UTF_8).length > MAX_INTERFACE
                || name.chars().anyMatch(c -> c == '/' || Character.isWhitespace(c))) {
            values.refuse(key, "must be an interface name: at most " + MAX_INTERFACE + " bytes, no \"/\", no blanks");
        }
        return name;
    }

    private NodePortAddresses nodePortAddresses(ProxyMode mode) {
        List<String> words = values.words(Key.NODE_PORT_ADDRESSES);
        if (words.contains("primary")) {
            if (words.size() > 1) {
                values.refuse(Key.NODE_PORT_ADDRESSES, "primary must stand alone");
            }
            return NodePortAddresses.PRIMARY;
        }
        List<IpPrefix> networks = values.prefixes(Key.NODE_PORT_ADDRESSES);
        if (!networks.isEmpty()) {
            return new NodePortAddresses.Within(networks);
        }
        return switch (mode) {
            case IPTABLES -> NodePortAddresses.ALL;
            case NFTABLES -> NodePortAddresses.PRIMARY;
        };
    }

    /** With an IPv6 {@code bindAddress} the defaults are IPv6, too: a cluster without IPv4 may not even have its loopback. */
    private ProxyAddresses endpoints() {
        boolean ipv6 = values.ip(Key.BIND_ADDRESS).family() == IpFamily.IPV6;
        return new ProxyAddresses(
                values.listening(
                        Key.HEALTHZ_BIND_ADDRESS, ipv6 ? "[::]:10256" : Key.HEALTHZ_BIND_ADDRESS.fallback(), 10256),
                values.listening(
                        Key.METRICS_BIND_ADDRESS, ipv6 ? "[::1]:10249" : Key.METRICS_BIND_ADDRESS.fallback(), 10249),
                values.bool(Key.BIND_ADDRESS_HARD_FAIL));
    }

    private Conntrack conntrack() {
        return new Conntrack(
                values.number(Key.CONNTRACK_MAX_PER_CORE, 0, 999_999_999),
                values.number(Key.CONNTRACK_MIN, 0, 999_999_999),
                values.duration(Key.CONNTRACK_TCP_ESTABLISHED),
                values.duration(Key.CONNTRACK_TCP_CLOSE_WAIT),
                values.bool(Key.CONNTRACK_TCP_BE_LIBERAL),
                values.duration(Key.CONNTRACK_UDP),
                values.duration(Key.CONNTRACK_UDP_STREAM));
    }

    private Optional<NodeIps> nodeIps() {
        Optional<NodeIps> ips = values.parsedWhole(Key.NODE_IPS, NodeIps::parse);
        Optional<LegacyNodeIp> legacy = values.parsedWhole(Key.NODE_IP, text -> LegacyNodeIp.parse(text, ""));
        if (legacy.isEmpty()) {
            return ips;
        }
        if (values.nonEmpty(Key.NODE_IPS).isPresent()) {
            values.refuse(Key.NODE_IP, "is deprecated and must not be given beside " + Key.NODE_IPS.path());
            return ips;
        }
        legacy.get()
                .ignored()
                .forEach(part -> values.warn(Key.NODE_IP, "\"" + part + "\" is no address and is ignored"));
        Optional<NodeIps> wanted = legacy.get().nodeIps();
        values.warn(
                Key.NODE_IP,
                "is deprecated; "
                        + wanted.map(w -> "write " + Key.NODE_IPS.flag() + " " + w)
                                .orElse("leave it out"));
        return wanted;
    }

    private <T> List<T> onePerFamily(List<T> all, Function<T, IpFamily> family, Key key) {
        if (all.size() > all.stream().map(family).distinct().count()) {
            values.refuse(key, "must be one value, or two of different IP families");
        }
        return all;
    }

    private SourceSettings source() {
        ClusterSettings api = new ClusterSettings(
                values.nonEmpty(Key.KUBECONFIG),
                values.nonEmpty(Key.MASTER),
                values.choice(Key.KUBE_API_CONTENT_TYPE, WireFormat.class),
                values.fraction(Key.KUBE_API_QPS),
                values.number(Key.KUBE_API_BURST, 0, 999_999_999));
        if (!values.bool(Key.STANDALONE)) {
            Stream.of(Key.MANIFESTS, Key.SERVICE_CLUSTER_IP_RANGE)
                    .filter(key -> values.nonEmpty(key).isPresent())
                    .forEach(key -> values.refuse(key, "has a meaning only with --standalone"));
            return new SourceSettings.Cluster(api);
        }
        String folder = values.text(Key.MANIFESTS);
        if (folder.isEmpty()) {
            values.refuse(Key.MANIFESTS, "required with --standalone");
        }
        return new SourceSettings.Folder(folder);
    }

    private PodSettings pods() {
        Optional<RuntimeEndpoint> runtime =
                values.nonEmpty(Key.CRI).flatMap(text -> parsed(Key.CRI, text, RuntimeEndpoint::parse));
        PodCidrs cidrs =
                parsed(Key.POD_CIDR, values.text(Key.POD_CIDR), PodCidrs::parse).orElse(PodCidrs.NONE);
        return new PodSettings(runtime, cidrs, values.bool(Key.LOCAL_FAILOVER));
    }

    private <T> Optional<T> parsed(Key key, String text, Function<String, T> parse) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            values.refuse(key, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<String> adminSocket() {
        Optional<String> path = values.nonEmpty(Key.ADMIN_SOCKET);
        if (path.isPresent() && path.get().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_PATH) {
            values.refuse(Key.ADMIN_SOCKET, "the path of a socket may have at most " + MAX_SOCKET_PATH + " bytes");
        }
        return path;
    }
}
