package io.dualstackd.agent.config;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.nodeaddr.LegacyNodeIp;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.pages.health.ProxyAddresses;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes a configuration from files and flags. With a file of kube-proxy's, flags of kube-proxy's are ignored, as kube-proxy does itself,
 * except those for logging, {@code --hostname-override} and {@code --master}. Our own flags take precedence over every file, and our own
 * file over the section in kube-proxy's. A file of kubeadm only fills in what nothing else says.
 */
public final class ConfigReader {
    /** Bytes of {@code sun_path} without its closing zero (107, see {@code unix(7)}), less what the temporary name adds. */
    private static final int MAX_SOCKET_PATH = 98;

    /** The default with an IPv6 {@code bindAddress} in a file. */
    static final String HEALTHZ_IPV6 = "[::]:10256";

    static final String METRICS_IPV6 = "[::1]:10249";

    private static final int HEALTHZ_PORT = 10256;
    private static final int METRICS_PORT = 10249;
    private static final int UI_PORT = 10246;

    /**
     * A configuration file.
     *
     * @param name as the user knows it
     */
    public record Source(String name, String text) {}

    /**
     * All files and flags that were given.
     *
     * @param proxy a KubeProxyConfiguration ({@code --config})
     * @param own a DualstackdConfiguration ({@code --dualstackd-config})
     * @param kubeadm a kubeadm ClusterConfiguration ({@code --kubeadm-config})
     * @param flags those that were given, with their values
     */
    public record Input(
            Optional<Source> proxy, Optional<Source> own, Optional<Source> kubeadm, Map<Key, String> flags) {
        public Input {
            flags = Map.copyOf(flags);
        }

        /** Without a file of kubeadm. */
        public Input(Optional<Source> proxy, Optional<Source> own, Map<Key, String> flags) {
            this(proxy, own, Optional.empty(), flags);
        }
    }

    private final ConfigValues configValues;

    private ConfigReader(Map<Key, ConfigValue> given, List<Problem> problems) {
        this.configValues = new ConfigValues(given, problems);
    }

    /** Reads all of it and reports every problem. */
    public static ConfigResult read(Input input) {
        List<Problem> problems = new ArrayList<>();
        return read(given(input, problems), problems);
    }

    /** The same as {@link #read(Said)}, for values whose places are known. */
    static ConfigResult read(Map<Key, ConfigValue> given, List<Problem> problems) {
        AgentConfig config = new ConfigReader(given, problems).config();
        return problems.stream().anyMatch(Problem::isError)
                ? new ConfigResult.Refused(problems)
                : new ConfigResult.Usable(config, given, problems);
    }

    /** The values that take precedence among all that were given. */
    static Map<Key, ConfigValue> given(Input input, List<Problem> problems) {
        Map<Key, ConfigValue> given = new EnumMap<>(Key.class);
        input.proxy()
                .ifPresent(f -> given.putAll(ConfigFile.read(ConfigSchema.KUBE_PROXY, f.name(), f.text(), problems)));
        input.own().ifPresent(f -> given.putAll(ConfigFile.read(ConfigSchema.OWN, f.name(), f.text(), problems)));
        List<Key> ignored = new ArrayList<>();
        new TreeMap<>(input.flags()).forEach((key, text) -> {
            if (input.proxy().isEmpty() || key.appliesWithFile()) {
                given.put(key, new ConfigValue(text, new Place.Flag(key.flag())));
            } else {
                ignored.add(key);
            }
        });
        input.kubeadm().ifPresent(f -> {
            boolean standalone = Optional.ofNullable(given.get(Key.STANDALONE))
                    .flatMap(value -> GoText.truth(value.text().strip()))
                    .orElse(false);
            KubeadmFile.read(f.name(), f.text(), standalone, problems).forEach(given::putIfAbsent);
        });
        if (!ignored.isEmpty()) {
            problems.add(Problem.warning(
                    new Place.Flag("--config"),
                    "",
                    "with a configuration file these flags are ignored, as in kube-proxy; set them in the file: "
                            + ignored.stream().map(Key::flag).collect(Collectors.joining(", "))));
        }
        return given;
    }

    private AgentConfig config() {
        TrafficReader traffic = new TrafficReader(configValues);
        CompatibleReader.check(configValues);
        ProxyMode mode = traffic.mode();
        List<Ip> bindAddresses = bindAddresses();
        return new AgentConfig(
                mode,
                traffic.variant(),
                traffic.rules(mode),
                traffic.ipvs(mode),
                traffic.detectLocal(),
                traffic.nodePortAddresses(mode),
                configValues.bool(Key.ENDPOINT_COUNTERS),
                FeatureGates.allowExternalIps(configValues),
                endpoints(bindAddresses.getFirst()),
                conntrack(),
                Optional.of(configValues.duration(Key.CONNTRACK_DRAIN_TCP)).filter(Duration::isPositive),
                new AgentConfig.NodeIdentity(
                        nodeName(configValues), nodeIps(), override(bindAddresses), configValues.nonEmpty(Key.ZONE)),
                SourceReader.source(configValues),
                PodReader.read(configValues),
                ServiceApiReader.read(configValues),
                DnsReader.read(configValues),
                LoggingReader.read(configValues),
                new AgentConfig.Host(
                        configValues.bool(Key.SET_FORWARDING), configValues.number(Key.OOM_SCORE_ADJ, -1000, 1000)),
                ui(),
                adminSocket(),
                configValues.text(Key.STATE_DIR));
    }

    private List<Ip> bindAddresses() {
        List<Ip> addresses = configValues.ips(Key.BIND_ADDRESS);
        if (addresses.size() > addresses.stream().map(Ip::family).distinct().count()) {
            configValues.refuse(Key.BIND_ADDRESS, "must be one address, or two of different IP families");
        }
        return addresses;
    }

    /** The unspecified address is no override. */
    private static List<Ip> override(List<Ip> bindAddresses) {
        return bindAddresses.stream()
                .filter(address -> !address.isUnspecified())
                .toList();
    }

    /** As with kube-proxy, an IPv6 {@code bindAddress} in the first place makes the defaults IPv6 if it is in a file; it sets those of flags before it reads any. */
    private ProxyAddresses endpoints(Ip bindAddress) {
        boolean ipv6 = bindAddress.family() == IpFamily.IPV6 && !configValues.byFlag(Key.BIND_ADDRESS);
        String healthz = ipv6 ? HEALTHZ_IPV6 : Key.HEALTHZ_BIND_ADDRESS.fallback();
        String metrics = ipv6 ? METRICS_IPV6 : Key.METRICS_BIND_ADDRESS.fallback();
        return new ProxyAddresses(
                listening(Key.HEALTHZ_BIND_ADDRESS, healthz, Key.HEALTHZ_PORT, HEALTHZ_PORT),
                listening(Key.METRICS_BIND_ADDRESS, metrics, Key.METRICS_PORT, METRICS_PORT),
                configValues.bool(Key.BIND_ADDRESS_HARD_FAIL));
    }

    private Optional<Listening> listening(Key address, String usual, Key port, int usualPort) {
        int number = configValues.number(port, 0, 65_535);
        configValues.warn(port, "is deprecated; write " + address.flag());
        Optional<Listening> listening = configValues.listening(address, usual, number == 0 ? usualPort : number);
        return number == 0 ? Optional.empty() : listening;
    }

    private Conntrack conntrack() {
        return new Conntrack(
                configValues.number(Key.CONNTRACK_MAX_PER_CORE, 0, Integer.MAX_VALUE),
                configValues.number(Key.CONNTRACK_MIN, 0, Integer.MAX_VALUE),
                configValues.duration(Key.CONNTRACK_TCP_ESTABLISHED),
                configValues.duration(Key.CONNTRACK_TCP_CLOSE_WAIT),
                configValues.bool(Key.CONNTRACK_TCP_BE_LIBERAL),
                configValues.duration(Key.CONNTRACK_UDP),
                configValues.duration(Key.CONNTRACK_UDP_STREAM));
    }

    private Optional<NodeIps> nodeIps() {
        Optional<NodeIps> ips = configValues.parsedWhole(Key.NODE_IPS, NodeIps::parse);
        Optional<LegacyNodeIp> legacy = configValues.parsedWhole(Key.NODE_IP, text -> LegacyNodeIp.parse(text, ""));
        if (legacy.isEmpty()) {
            return ips;
        }
        if (configValues.nonEmpty(Key.NODE_IPS).isPresent()) {
            configValues.refuse(Key.NODE_IP, "is deprecated and must not be combined with " + Key.NODE_IPS.path());
            return ips;
        }
        legacy.get()
                .ignored()
                .forEach(part -> configValues.warn(Key.NODE_IP, "\"" + part + "\" is not an address and is ignored"));
        Optional<NodeIps> wanted = legacy.get().nodeIps();
        configValues.warn(
                Key.NODE_IP,
                "is deprecated; "
                        + wanted.map(w -> "write " + Key.NODE_IPS.flag() + " " + w)
                                .orElse("leave it out"));
        return wanted;
    }

    /** A page that is not on a loopback address can be read by users of other hosts, which is allowed, with a warning. */
    private Optional<Listening> ui() {
        if (configValues.nonEmpty(Key.UI_BIND_ADDRESS).isEmpty()) {
            return Optional.empty();
        }
        Optional<Listening> where = configValues.listening(Key.UI_BIND_ADDRESS, "", UI_PORT);
        if (where.isPresent() && where.get().ip().filter(Ip::isLoopback).isEmpty()) {
            configValues.warn(
                    Key.UI_BIND_ADDRESS,
                    "is not a loopback address: it shows Services, addresses and the log without a password");
        }
        return where;
    }

    private Optional<String> adminSocket() {
        Optional<String> path = configValues.nonEmpty(Key.ADMIN_SOCKET);
        if (path.isPresent() && path.get().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_PATH) {
            configValues.refuse(
                    Key.ADMIN_SOCKET, "the path of a socket may have at most " + MAX_SOCKET_PATH + " bytes");
        }
        return path;
    }

    /** The name of a Node is a DNS subdomain (RFC 1123). */
    private static Optional<String> nodeName(ConfigValues configValues) {
        Optional<String> name =
                configValues.nonEmpty(Key.HOSTNAME_OVERRIDE).map(n -> n.strip().toLowerCase(Locale.ROOT));
        name.filter(n -> !n.matches("(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*"))
                .ifPresent(n -> configValues.refuse(
                        Key.HOSTNAME_OVERRIDE,
                        "must be a DNS subdomain: letters, digits, - and ., at most 253 characters, a letter or digit at"
                                + " both ends"));
        return name;
    }
}
