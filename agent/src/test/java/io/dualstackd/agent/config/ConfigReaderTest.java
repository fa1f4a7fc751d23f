package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ipvs.IpvsTimeouts;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.pages.health.ProxyAddresses;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.PodIpOrder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfigReaderTest {
    private static final Map<Key, String> STANDALONE = Map.of(Key.STANDALONE, "true", Key.MANIFESTS, "/m");

    private static ConfigResult read(String file, Map<Key, String> flags) {
        Map<Key, String> all = new EnumMap<>(Key.class);
        all.putAll(STANDALONE);
        all.putAll(flags);
        Optional<ConfigReader.Source> source =
                Optional.of(new ConfigReader.Source("config.yaml", file)).filter(f -> !file.isEmpty());
        return ConfigReader.read(new ConfigReader.Input(source, Optional.empty(), all));
    }

    private static AgentConfig usable(String file, Map<Key, String> flags) {
        ConfigResult result = read(file, flags);
        assertThat(result).isInstanceOf(ConfigResult.Usable.class);
        return ((ConfigResult.Usable) result).config();
    }

    private static List<String> refused(ConfigResult result) {
        assertThat(result).isInstanceOf(ConfigResult.Refused.class);
        return ((ConfigResult.Refused) result)
                .problems().stream().map(Problem::toString).toList();
    }

    private static String refusals(Map<Key, String> flags) {
        return read("", flags) instanceof ConfigResult.Refused refused
                ? refused.problems().toString()
                : "";
    }

    @Test
    void settingsOfTheServiceApi() {
        Map<Key, String> all = Map.of(
                Key.STANDALONE,
                "true",
                Key.MANIFESTS,
                "/m",
                Key.SERVICE_CLUSTER_IP_RANGE,
                "10.96.0.0/16",
                Key.SERVICE_CIDR_GRACE,
                "60s",
                Key.KEEP_KUBERNETES_SERVICE_IP,
                "false");
        ServiceApiSettings api =
                ((ConfigResult.Usable) read("", all)).config().serviceApi().orElseThrow();
        assertThat(api.cidrGrace()).hasSeconds(60);
        assertThat(api.keepsKubernetesIp()).isFalse();
        Map<Key, String> few =
                Map.of(Key.STANDALONE, "true", Key.MANIFESTS, "/m", Key.SERVICE_CLUSTER_IP_RANGE, "10.96.0.0/16");
        ServiceApiSettings usual =
                ((ConfigResult.Usable) read("", few)).config().serviceApi().orElseThrow();
        assertThat(usual.cidrGrace()).hasSeconds(10);
        assertThat(usual.keepsKubernetesIp()).isTrue();
        assertThat(refusals(Map.of(Key.SERVICE_CIDR_GRACE, "a while"))).contains("--service-cidr-grace", "a while");
    }

    @Test
    void onlyAnOrderOfPodsThatExists() {
        assertThat(((ConfigResult.Usable) read("", Map.of(Key.POD_IP_ORDER, "runtime")))
                        .config()
                        .pods()
                        .order())
                .isEqualTo(PodIpOrder.RUNTIME);
        assertThat(refusals(Map.of(Key.POD_IP_ORDER, "mine")))
                .contains("--pod-ip-order", "must be one of node, runtime");
    }

    @Test
    void addressesAreRemovedOnlyFromANodeWithGivenOnes() {
        Map<Key, String> cluster =
                new EnumMap<>(Map.of(Key.STANDALONE, "false", Key.MANIFESTS, "", Key.MANAGE_NODE_ADDRESSES, "filter"));
        assertThat(refusals(cluster)).contains("--manage-node-addresses", "filter needs --node-ips");
        cluster.put(Key.NODE_IPS, "ipv4");
        assertThat(refusals(cluster)).isEmpty();
    }

    @Test
    void withoutRangesServicesAreTakenAsTheyAreWritten() {
        assertThat(usable("", Map.of()).serviceApi()).isEmpty();
        ConfigResult result =
                read("", Map.of(Key.SERVICE_NODE_PORT_RANGE, "30000-30100", Key.SERVICE_API_SEMANTICS, "kep563"));
        assertThat(((ConfigResult.Usable) result).warnings())
                .hasSize(2)
                .allMatch(warning -> warning.rule().equals("has no meaning without --service-cluster-ip-range"));
    }

    @ParameterizedTest(name = "ranges {0}, node ports {1}, {2}: {3}")
    @CsvSource({
        "10.96.0.0/16,'','',10.96.0.0/16 30000-32767 kubernetes IPv4",
        "'fd00:96::/64,10.96.0.0/16',30000+10,KEP563,'fd00:96::/64,10.96.0.0/16 30000-30010 kep563 IPv6,IPv4'",
        "10.0.0.0/8,31000,kubernetes,10.0.0.0/8 31000-31000 kubernetes IPv4",
        "'10.96.3.4/29, fd00::7/125',1-65535,kubernetes,'10.96.3.0/29,fd00::/125 1-65535 kubernetes IPv4,IPv6'"
    })
    void rangesOfServices(String ranges, String ports, String semantics, String expected) {
        ServiceApiSettings settings = usable(
                        "",
                        Map.of(
                                Key.SERVICE_CLUSTER_IP_RANGE,
                                ranges,
                                Key.SERVICE_NODE_PORT_RANGE,
                                ports,
                                Key.SERVICE_API_SEMANTICS,
                                semantics))
                .serviceApi()
                .orElseThrow();
        assertThat(joined(settings.clusterIpRanges()) + " " + settings.nodePorts() + " " + settings.semantics() + " "
                        + joined(settings.families()))
                .isEqualTo(expected);
    }

    private static String joined(List<?> values) {
        return values.stream().map(Object::toString).collect(java.util.stream.Collectors.joining(","));
    }

    @Test
    void rangesOfServicesInTheFile() {
        assertThat(usable(
                                "dualstackd: {serviceClusterIPRange: [10.96.0.0/16, \"fd00:96::/112\"], serviceNodePortRange: 30000-30999, "
                                        + "serviceAPISemantics: kep563}",
                                Map.of())
                        .serviceApi())
                .hasValueSatisfying(settings -> {
                    assertThat(settings.families()).containsExactly(IpFamily.IPV4, IpFamily.IPV6);
                    assertThat(settings.nodePorts()).isEqualTo(new ServiceApiSettings.Ports(30000, 30999));
                    assertThat(settings.semantics()).hasToString("kep563");
                });
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "SERVICE_CLUSTER_IP_RANGE,'10.0.0.0/16,10.1.0.0/16','two networks must be of different IP families, and both are IPv4'",
        "SERVICE_CLUSTER_IP_RANGE,'10.0.0.0/16,fd00::/64,10.1.0.0/16','must be one network or two, not 3'",
        "SERVICE_CLUSTER_IP_RANGE,fd00::/63,'fd00::/63 is too large: an IPv6 network must be /64 or smaller'",
        "SERVICE_CLUSTER_IP_RANGE,10.0.0.0/30,'10.0.0.0/30 is too small: it must have at least 8 addresses'",
        "SERVICE_CLUSTER_IP_RANGE,'10.0.0.0/16,fd00::/126','fd00::/126 is too small: it must have at least 8 addresses'",
        "SERVICE_CLUSTER_IP_RANGE,10.0.0.0,'no \"/\" and prefix length'",
        "SERVICE_NODE_PORT_RANGE,40000-30000,'must be within 1-65535, the lower number first'",
        "SERVICE_NODE_PORT_RANGE,65000+1000,'must be within 1-65535, the lower number first'",
        "SERVICE_NODE_PORT_RANGE,0-100,'must be within 1-65535, the lower number first'",
        "SERVICE_NODE_PORT_RANGE,30000:32767,'must be like 30000-32767'",
        "SERVICE_API_SEMANTICS,kep-563,'must be one of kubernetes, kep563'"
    })
    void wrongRangesOfServices(Key key, String value, String rule) {
        Map<Key, String> flags = new EnumMap<>(Map.of(Key.SERVICE_CLUSTER_IP_RANGE, "10.96.0.0/16"));
        flags.put(key, value);
        assertThat(refused(read("", flags)))
                .singleElement()
                .satisfies(text ->
                        assertThat(text).startsWith("flag " + key.flag()).contains(rule));
    }

    @Test
    void modeIpvsIsAWarningAndItsSectionCounts() {
        String file =
                "{mode: ipvs, iptables: {masqueradeBit: 9}, ipvs: {scheduler: lc, strictARP: true, excludeCIDRs: [192.0.2.0/28],"
                        + " tcpTimeout: 15m, udpTimeout: 1500ms, syncPeriod: 1m}}";
        AgentConfig config = usable(file, Map.of());
        assertThat(config.mode()).isEqualTo(ProxyMode.IPVS);
        assertThat(config.rules())
                .isEqualTo(new AgentConfig.Rules(9, false, false, Duration.ofMinutes(1), Duration.ZERO));
        assertThat(config.nodePortAddresses()).isEqualTo(NodePortAddresses.ALL);
        assertThat(config.ipvs())
                .isEqualTo(new AgentConfig.Ipvs(
                        new IpvsSettings("lc", List.of(IpPrefix.parse("192.0.2.0/28"))),
                        true,
                        new IpvsTimeouts(900, 0, 2)));
        assertThat(((ConfigResult.Usable) read(file, Map.of())).warnings())
                .singleElement()
                .asString()
                .contains("mode", "ipvs", "nftables");
    }

    @Test
    void defaults() {
        AgentConfig config = usable("", Map.of());
        assertThat(config.mode()).isEqualTo(ProxyMode.IPTABLES);
        assertThat(config.rules())
                .isEqualTo(new AgentConfig.Rules(14, false, true, Duration.ofSeconds(30), Duration.ZERO));
        assertThat(config.detectLocal()).isEqualTo(new DetectLocal.ClusterCidr(List.of()));
        assertThat(config.nodePortAddresses()).isEqualTo(NodePortAddresses.ALL);
        assertThat(config.node().nameOverride()).isEmpty();
        assertThat(config.logging()).isEqualTo(new AgentConfig.Logging(LogFormat.TEXT, LogLevel.INFO));
        assertThat(config.adminSocket()).contains("/run/dualstackd/admin.sock");
        assertThat(config.source()).isEqualTo(new SourceSettings.Folder("/m"));
    }

    @Test
    void aWholeFile() {
        AgentConfig config = usable("""
                apiVersion: kubeproxy.config.k8s.io/v1alpha1
                kind: KubeProxyConfiguration
                mode: "iptables"
                iptables: {masqueradeBit: 7, masqueradeAll: true, localhostNodePorts: false, syncPeriod: 1m30s, minSyncPeriod: 250ms}
                detectLocalMode: ClusterCIDR
                clusterCIDR: 10.0.0.0/8,fd00::/48
                nodePortAddresses: [192.168.0.0/24, "2001:db8::/64"]
                hostnameOverride: Node-1
                dualstackd:
                  nodeIPs: [192.168.0.2, "2001:db8::2"]
                  zone: a
                  logFormat: json
                  logLevel: debug
                  adminSocket: ""
                  stateDir: /tmp/state
                """, Map.of());
        assertThat(config.rules())
                .isEqualTo(new AgentConfig.Rules(7, true, false, Duration.ofSeconds(90), Duration.ofMillis(250)));
        assertThat(config.detectLocal().detector(IpFamily.IPV6, List.of()))
                .isEqualTo(new LocalDetector.SourceIn(IpPrefix.parse("fd00::/48")));
        assertThat(config.nodePortAddresses())
                .isEqualTo(new NodePortAddresses.Within(
                        List.of(IpPrefix.parse("192.168.0.0/24"), IpPrefix.parse("2001:db8::/64"))));
        assertThat(config.node().nameOverride()).contains("node-1");
        assertThat(config.node().ip(IpFamily.IPV6))
                .hasValueSatisfying(ip -> assertThat(ip).hasToString("2001:db8::2"));
        assertThat(config.node().zone()).contains("a");
        assertThat(config.logging()).isEqualTo(new AgentConfig.Logging(LogFormat.JSON, LogLevel.DEBUG));
        assertThat(config.adminSocket()).isEmpty();
    }

    @Test
    void endpointsAreCountedWhereThatIsAskedFor() {
        assertThat(usable("", Map.of()).endpointCounters()).isFalse();
        assertThat(usable("", Map.of(Key.ENDPOINT_COUNTERS, "true")).endpointCounters())
                .isTrue();
        assertThat(usable("dualstackd: {endpointCounters: true}", Map.of()).endpointCounters())
                .isTrue();
        assertThat(Key.ENDPOINT_COUNTERS.isLive()).isFalse();
    }

    @Test
    void podsOfTheNode() {
        PodSettings none = usable("", Map.of()).pods();
        assertThat(none.runtime()).isEmpty();
        assertThat(none.cidrs()).isEqualTo(PodCidrs.NONE);
        assertThat(none.localFailover()).isTrue();
        PodSettings pods = usable(
                        "dualstackd: {cri: unix:///run/c.sock, podCIDR: [10.244.1.0/24, \"fd00:244:1::/64\"]}",
                        Map.of(Key.LOCAL_FAILOVER, "false"))
                .pods();
        assertThat(pods.runtime()).map(Object::toString).contains("unix:///run/c.sock");
        assertThat(pods.cidrs()).hasToString("10.244.1.0/24,fd00:244:1::/64");
        assertThat(pods.localFailover()).isFalse();
        ConfigResult refused = read("", Map.of(Key.POD_CIDR, "10.0.0.0/24,10.0.1.0/24", Key.CRI, "http://x"));
        assertThat(refused.toString())
                .contains("two networks must be one of each IP family; both are IPv4")
                .contains("Unix sockets only");
    }

    @ParameterizedTest(name = "{0} → {1}, {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    bindAddress: 0.0.0.0                   | *:10256       | 127.0.0.1:10249
                    bindAddress: "::"                      | *:10256       | [::1]:10249
                    healthzBindAddress: 192.0.2.1          | 192.0.2.1:10256 | 127.0.0.1:10249
                    healthzBindAddress: 192.0.2.1:1        | 192.0.2.1:1   | 127.0.0.1:10249
                    healthzBindAddress: "[::]:7"           | *:7           | 127.0.0.1:10249
                    healthzBindAddress: "2001:db8::1"      | [2001:db8::1]:10256 | 127.0.0.1:10249
                    metricsBindAddress: "[::1]"            | *:10256       | [::1]:10249
                    healthzBindAddress: ""                 | *:10256       | 127.0.0.1:10249
                    healthzBindAddress: null               | *:10256       | 127.0.0.1:10249
                    """)
    void endpoints(String file, String healthz, String metrics) {
        ProxyAddresses endpoints = usable(file, Map.of()).endpoints();
        assertThat(endpoints.healthz().map(Listening::toString)).contains(healthz);
        assertThat(endpoints.metrics().map(Listening::toString)).contains(metrics);
        assertThat(endpoints.hardFail()).isFalse();
    }

    @Test
    void anEmptyFlagMeansNowhere() {
        assertThat(usable(
                                "",
                                Map.of(
                                        Key.BIND_ADDRESS_HARD_FAIL, "true",
                                        Key.HEALTHZ_BIND_ADDRESS, "",
                                        Key.METRICS_BIND_ADDRESS, ""))
                        .endpoints())
                .isEqualTo(new ProxyAddresses(Optional.empty(), Optional.empty(), true));
    }

    @Test
    void conntrack() {
        Conntrack usual = new Conntrack(
                32768, 131072, Duration.ofDays(1), Duration.ofHours(1), false, Duration.ZERO, Duration.ZERO);
        assertThat(usable("", Map.of()).conntrack()).isEqualTo(usual);
        assertThat(usable(
                                "conntrack: {maxPerCore: null, min: null, tcpBeLiberal: false, tcpCloseWaitTimeout: null,"
                                        + " tcpEstablishedTimeout: 24h0m0s, udpStreamTimeout: 0s, udpTimeout: 0s}",
                                Map.of())
                        .conntrack())
                .isEqualTo(usual);
        assertThat(usable("conntrack: {min: 0, udpTimeout: 3s}", Map.of()).conntrack())
                .isEqualTo(new Conntrack(
                        32768,
                        0,
                        Duration.ofDays(1),
                        Duration.ofHours(1),
                        false,
                        Duration.ofSeconds(3),
                        Duration.ZERO));
    }

    @Test
    void tcpIsDrainedOnRequest() {
        assertThat(usable("", Map.of()).drainTcpAfter()).isEmpty();
        assertThat(usable("dualstackd: {drainTcpAfter: 0s}", Map.of()).drainTcpAfter())
                .isEmpty();
        assertThat(usable("dualstackd: {drainTcpAfter: 5m}", Map.of()).drainTcpAfter())
                .contains(Duration.ofMinutes(5));
    }

    @Test
    void nftablesMode() {
        AgentConfig config = usable("""
                mode: nftables
                iptables: {masqueradeBit: 3, masqueradeAll: true, localhostNodePorts: true}
                nftables: {masqueradeBit: 7, syncPeriod: 1m, minSyncPeriod: 1s}
                """, Map.of());
        assertThat(config.mode()).isEqualTo(ProxyMode.NFTABLES);
        assertThat(config.rules())
                .isEqualTo(new AgentConfig.Rules(7, false, false, Duration.ofMinutes(1), Duration.ofSeconds(1)));
        assertThat(config.nodePortAddresses()).isEqualTo(NodePortAddresses.PRIMARY);
    }

    @Test
    void nftablesModeOfFlagsAlone() {
        AgentConfig config = usable("", Map.of(Key.MODE, "nftables", Key.MASQUERADE_ALL, "true"));
        assertThat(config.rules())
                .isEqualTo(new AgentConfig.Rules(14, true, false, Duration.ofSeconds(30), Duration.ZERO));
        AgentConfig everywhere = usable("mode: nftables\nnodePortAddresses: [0.0.0.0/0]", Map.of());
        assertThat(everywhere.nodePortAddresses())
                .isEqualTo(new NodePortAddresses.Within(List.of(IpPrefix.parse("0.0.0.0/0"))));
    }

    @Test
    void besideAFileOnlySomeFlagsCount() {
        ConfigResult.Usable result = (ConfigResult.Usable) read(
                "iptables: {masqueradeBit: 7}\nhostnameOverride: b\nlogging: {verbosity: 0}\ndualstackd: {zone: a, logFormat: json}\n",
                Map.of(
                        Key.MASQUERADE_BIT, "3",
                        Key.CLUSTER_CIDR, "invalid, but not read",
                        Key.HOSTNAME_OVERRIDE, "A",
                        Key.VERBOSITY, "4",
                        Key.ZONE, "z",
                        Key.CONNTRACK_DRAIN_TCP, "1s"));
        AgentConfig config = result.config();
        assertThat(config.rules().masqueradeBit()).isEqualTo(7);
        assertThat(config.node().nameOverride()).contains("a");
        assertThat(config.node().zone()).contains("z");
        assertThat(config.drainTcpAfter()).contains(Duration.ofSeconds(1));
        assertThat(config.logging()).isEqualTo(new AgentConfig.Logging(LogFormat.JSON, LogLevel.DEBUG));
        assertThat(result.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "flag --config: with a configuration file these flags are ignored, as in kube-proxy; set them in"
                                + " the file: --cluster-cidr, --iptables-masquerade-bit");
    }

    @Test
    void ourOwnFileWinsOverTheSection() {
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source(
                        "proxy.yaml", "dualstackd: {zone: a, nodeIPs: ipv6, standalone: false}")),
                Optional.of(
                        new ConfigReader.Source(
                                "own.yaml",
                                "apiVersion: dualstackd.io/v1alpha1\nkind: DualstackdConfiguration\nzone: b\nlogLevel: warn\n")),
                Map.of(Key.LOG_LEVEL, "error")));
        AgentConfig config = ((ConfigResult.Usable) result).config();
        assertThat(config.node().zone()).contains("b");
        assertThat(config.node().ips()).contains(NodeIps.parse("ipv6"));
        assertThat(config.logging().level()).isEqualTo(LogLevel.ERROR);
        assertThat(config.source().kind()).isEqualTo("cluster");
    }

    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    zome: a                     | own.yaml:1: zome: "a": unknown key; did you mean zone?
                    clusterCIDR: 10.0.0.0/8     | own.yaml:1: clusterCIDR: "10.0.0.0/8": unknown key
                    kind: KubeProxyConfiguration | own.yaml:1: kind: "KubeProxyConfiguration": must be DualstackdConfiguration or left out
                    drainTcpAfter: 1            | own.yaml:1: drainTcpAfter: "1": must be a duration like 30s, 1m30s or 250ms
                    {zone: a, zone: b}          | own.yaml:1: key "zone" occurs twice in the same object
                    """)
    void ourOwnFileIsReadStrictly(String text, String problem) {
        assertThat(refused(ConfigReader.read(new ConfigReader.Input(
                        Optional.empty(), Optional.of(new ConfigReader.Source("own.yaml", text)), Map.of()))))
                .containsExactly(problem);
    }

    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    nftables: {localhostNodePorts: true}   | config.yaml:1: nftables.localhostNodePorts: "true": unknown field, ignored; did you mean iptables.localhostNodePorts?
                    iptables: {masqueradeBitt: 1}          | config.yaml:1: iptables.masqueradeBitt: "1": unknown field, ignored; did you mean iptables.masqueradeBit?
                    masqueradeAll: true                    | config.yaml:1: masqueradeAll: "true": unknown field, ignored; did you mean iptables.masqueradeAll?
                    iptable: {}                            | config.yaml:1: iptable: unknown field, ignored; did you mean iptables?
                    zzz: 1                                 | config.yaml:1: zzz: "1": unknown field, ignored
                    {mode: nftables, mode: iptables}       | config.yaml:1: mode: occurs twice in the same object; the last one counts
                    winkernel: {networkName: x}            | config.yaml:1: winkernel: has no effect here
                    portRange: 1-2                         | config.yaml:1: portRange: "1-2": has no effect here
                    {clusterCIDR: "10.0.0.0/8,fd00::/8", nodePortAddresses: [10.0.0.0/8]} | config.yaml:1: nodePortAddresses: "10.0.0.0/8": names no IPv6 network, so node ports answer on every IPv6 address; name one, or write primary
                    """)
    void kubeProxysFileIsReadLeniently(String file, String warning) {
        ConfigResult result = read(file, Map.of());
        assertThat(result).isInstanceOf(ConfigResult.Usable.class);
        assertThat(((ConfigResult.Usable) result).warnings())
                .extracting(Problem::toString)
                .containsExactly(warning);
    }

    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    mode: userspace                        | config.yaml:1: mode: "userspace": must be one of iptables, nftables, ipvs
                    dualstackd: {zome: a}                  | config.yaml:1: dualstackd.zome: "a": unknown key; did you mean dualstackd.zone?
                    {mode: nftables, nftables: {masqueradeBit: 32}} | config.yaml:1: nftables.masqueradeBit: "32": must be 0 to 31
                    {mode: nftables, nftables: {minSyncPeriod: 31s}} | config.yaml:1: nftables.minSyncPeriod: "31s": must not be more than nftables.syncPeriod, 30s
                    iptables: {masqueradeBit: 32}          | config.yaml:1: iptables.masqueradeBit: "32": must be 0 to 31
                    iptables: {masqueradeBit: x}           | config.yaml:1: iptables.masqueradeBit: "x": must be 0 to 31
                    iptables: {masqueradeBit: [1]}         | config.yaml:1: iptables.masqueradeBit: must be a single value, not a list
                    iptables: {masqueradeBit: {}}          | config.yaml:1: iptables.masqueradeBit: must be a single value, not an object
                    iptables: {masqueradeAll: maybe}       | config.yaml:1: iptables.masqueradeAll: "maybe": must be true or false
                    iptables: {syncPeriod: 30}             | config.yaml:1: iptables.syncPeriod: "30": must be a duration like 30s, 1m30s or 250ms
                    iptables: {minSyncPeriod: 31s}         | config.yaml:1: iptables.minSyncPeriod: "31s": must not be more than iptables.syncPeriod, 30s
                    iptables: 5                            | config.yaml:1: iptables: "5": must be an object, not a whole number
                    detectLocalMode: clusterCidrs          | config.yaml:1: detectLocalMode: "clusterCidrs": must be one of ClusterCIDR, NodeCIDR, BridgeInterface, InterfaceNamePrefix
                    detectLocalMode: BridgeInterface       | flag --pod-bridge-interface: required with detectLocalMode BridgeInterface
                    clusterCIDR: 10.0.0.0/8,10.1.0.0/16    | config.yaml:1: clusterCIDR: "10.0.0.0/8,10.1.0.0/16": must be one value, or two of different IP families
                    healthzBindAddress: x                  | config.yaml:1: healthzBindAddress: "x": must be an address and a port: "x" is not an IP address: IPv4 has four octets
                    healthzBindAddress: 1.2.3.4:0          | config.yaml:1: healthzBindAddress: "1.2.3.4:0": must be an address and a port: the port must be 1 to 65535
                    conntrack: {maxPerCore: -1}            | config.yaml:1: conntrack.maxPerCore: "-1": must be a whole number of 0 or more
                    conntrack: {udpTimeout: -1s}           | config.yaml:1: conntrack.udpTimeout: "-1s": must be a duration like 30s, 1m30s or 250ms
                    clusterCIDR: 10.0.0.0                  | config.yaml:1: clusterCIDR: "10.0.0.0": "10.0.0.0" is not a network: no "/" and prefix length
                    nodePortAddresses: [primary, 10.0.0.0/8] | config.yaml:1: nodePortAddresses: "primary,10.0.0.0/8": primary must stand alone
                    kind: ConfigMap                        | config.yaml:1: kind: "ConfigMap": must be KubeProxyConfiguration or left out
                    [1, 2]                                 | config.yaml:1: must be an object, not a list
                    a: b: c                                | config.yaml:1: not YAML: mapping values are not allowed here
                    dualstackd: {nodeIPs: ["::ffff:1.2.3.4"]} | config.yaml:1: dualstackd.nodeIPs: "::ffff:1.2.3.4": "::ffff:1.2.3.4" is not an IP address: an IPv4-mapped IPv6 address names an IPv4 host; write it as IPv4
                    dualstackd: {nodeIPs: "10.0.0.1,"}     | config.yaml:1: dualstackd.nodeIPs: "10.0.0.1,": an element is empty
                    dualstackd: {nodeIPs: [ipv4, 10.0.0.1]} | config.yaml:1: dualstackd.nodeIPs: "ipv4,10.0.0.1": two elements must be of different IP families, these are both IPv4
                    dualstackd: {nodeIPs: ipv5}            | config.yaml:1: dualstackd.nodeIPs: "ipv5": an element is an address, ipv4, ipv6, interface:NAME or a network like 10.0.0.0/8
                    dualstackd: {nodeIPs: ipv4, nodeIP: 1.2.3.4} | config.yaml:1: dualstackd.nodeIP: "1.2.3.4": is deprecated and must not be combined with dualstackd.nodeIPs
                    dualstackd: {nodeIP: "1.2.3.4,5.6.7.8"} | config.yaml:1: dualstackd.nodeIP: "1.2.3.4,5.6.7.8": must contain either a single IP or a dual-stack pair of IPs
                    dualstackd: {logLevel: loud}           | config.yaml:1: dualstackd.logLevel: "loud": must be one of error, warn, info, debug, trace
                    """)
    void refusedFiles(String file, String problem) {
        assertThat(refused(read(file, Map.of()))).containsExactly(problem);
    }

    @Test
    void allProblemsOfFileAndFlagsAtOnce() {
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.of(
                        new ConfigReader.Source("config.yaml", "iptables:\n  masqueradeBit: 99\nhostnameOveride: x\n")),
                Optional.empty(),
                Map.of(Key.NODE_IPS, "ten", Key.STANDALONE, "true")));
        assertThat(refused(result))
                .containsExactly(
                        "config.yaml:3: hostnameOveride: \"x\": unknown field, ignored; did you mean hostnameOverride?",
                        "config.yaml:2: iptables.masqueradeBit: \"99\": must be 0 to 31",
                        "flag --node-ips: \"ten\": an element is an address, ipv4, ipv6, interface:NAME or a network like"
                                + " 10.0.0.0/8",
                        "flag --manifests: required with --standalone");
    }

    @ParameterizedTest(name = "{0} {1} means {2}")
    @CsvSource({
        "NODE_IPS, 'ipv6,ipv4', 'ipv6,ipv4'",
        "NODE_IPS, 'interface:eth0,fd00::1', 'interface:eth0/ipv4,fd00::1'",
        "NODE_IPS, '10.0.0.0/8', '10.0.0.0/8'",
        "NODE_IP, 0.0.0.0, ipv4",
        "NODE_IP, '::', ipv6",
        "NODE_IP, 'fd00::1, 010.0.0.1', 'fd00::1,10.0.0.1'",
    })
    void nodeIps(Key key, String text, String means) {
        assertThat(usable("", Map.of(key, text)).node().ips()).contains(NodeIps.parse(means));
    }

    @Test
    void acceptsInvalidKubeletNodeIpWithAWarning() {
        ConfigResult.Usable result = (ConfigResult.Usable) read("", Map.of(Key.NODE_IP, "1.2.3.4,oops"));
        assertThat(result.config().node().ips()).contains(NodeIps.parse("1.2.3.4"));
        assertThat(result.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "flag --node-ip: \"1.2.3.4,oops\": \"oops\" is not an address and is ignored",
                        "flag --node-ip: \"1.2.3.4,oops\": is deprecated; write --node-ips 1.2.3.4");
    }

    @Test
    void socketPathsAreShort() {
        assertThat(refused(read("", Map.of(Key.ADMIN_SOCKET, "/" + "x".repeat(107))))
                        .getFirst())
                .contains("flag --admin-socket")
                .contains("at most 98 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "0,PT0S",
        "1h,PT1H",
        "1.5s,PT1.5S",
        "2m3s,PT2M3S",
        "100us,PT0.0001S",
        "'',",
        "s,",
        "5,",
        "1d,",
        "-1s,",
        "1s5,"
    })
    void durations(String text, String iso) {
        assertThat(Durations.parse(text)).isEqualTo(Optional.ofNullable(iso).map(Duration::parse));
    }

    @Test
    void everyKeyHasADefaultThatIsValid() {
        assertThat(read("", Map.of())).isInstanceOf(ConfigResult.Usable.class);
        for (Key key : Key.values()) {
            assertThat(key.flag()).startsWith("--");
            assertThat(key.help()).endsWith(".");
        }
    }
}
