package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.YamlText;
import io.dualstackd.pages.health.ShownConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every field of a KubeProxyConfiguration and every flag of kube-proxy: default, values that are taken, values that are refused. */
final class KubeProxyFieldsTest {
    private static final String DURATION = "must be a duration like 30s, 1m30s or 250ms";
    private static final String COUNT = "must be a whole number of 0 or more";
    private static final String TRUTH = "must be true or false";

    /** Values are separated by two blanks: default ¦ taken ¦ refused = rule. */
    private static final String TABLE = """
            clientConnection.kubeconfig                  ¦ ¦ /etc/k.conf ¦
            clientConnection.contentType                 ¦ application/vnd.kubernetes.protobuf ¦ application/json  text/xml ¦
            clientConnection.qps                         ¦ 5 ¦ 0  50  0.5  -1  1e2 ¦ many = must be a number
            clientConnection.burst                       ¦ 10 ¦ 0  100 ¦ -1 = COUNT  1.5 = COUNT
            hostnameOverride                             ¦ ¦ node-1  NODE ¦
            bindAddress                                  ¦ 0.0.0.0 ¦ ::  192.0.2.1  fd00::1  192.0.02.1 ¦ 1.2.3 = is not an IP address: IPv4 has four octets
            healthzBindAddress                           ¦ 0.0.0.0:10256 ¦ 127.0.0.1:1  [::]:65535  192.0.2.1 ¦ 1.2.3.4:0 = the port must be 1 to 65535  1.2.3.4:65536 = the port must be 1 to 65535  x = is not an IP address
            metricsBindAddress                           ¦ 127.0.0.1:10249 ¦ 0.0.0.0:9  [::1]:9 ¦ localhost:9 = is not an IP address
            bindAddressHardFail                          ¦ false ¦ true ¦ 2 = TRUTH
            enableProfiling                              ¦ false ¦ true  yes  Off ¦ yES = TRUTH
            showHiddenMetricsForVersion                  ¦ ¦ 1.35 ¦ 1.34 = must be empty or the previous minor version, 1.35
            mode                                         ¦ iptables ¦ iptables  nftables  ipvs ¦ kernelspace = must be one of iptables, nftables, ipvs
            iptables.masqueradeBit                       ¦ 14 ¦ 0  31  0x1f ¦ 32 = must be 0 to 31  -1 = must be 0 to 31  a = must be 0 to 31
            iptables.masqueradeAll                       ¦ false ¦ true  on ¦ oN = TRUTH
            iptables.localhostNodePorts                  ¦ true ¦ false  no ¦ never = TRUTH
            iptables.syncPeriod                          ¦ 30s ¦ 1s  1h  0s ¦ 30 = DURATION  -1s = DURATION
            iptables.minSyncPeriod                       ¦ 0s ¦ 0s  1s  30s ¦ 31s = must not be more than iptables.syncPeriod, 30s  -1s = DURATION
            ipvs.syncPeriod                              ¦ 30s ¦ 1m  0s ¦ x = DURATION
            ipvs.minSyncPeriod                           ¦ 0s ¦ 1s ¦ 31s = must not be more than ipvs.syncPeriod, 30s
            ipvs.scheduler                               ¦ ¦ rr  mh ¦
            ipvs.excludeCIDRs                            ¦ ¦ 10.0.0.0/8  10.0.0.0/8,fd00::/8 ¦ 10.0.0.0 = no "/" and prefix length
            ipvs.strictARP                               ¦ false ¦ true ¦ 7 = TRUTH
            ipvs.tcpTimeout                              ¦ 0s ¦ 15m ¦ -1s = DURATION
            ipvs.tcpFinTimeout                           ¦ 0s ¦ 1m ¦ -1s = DURATION
            ipvs.udpTimeout                              ¦ 0s ¦ 5m ¦ -1s = DURATION
            nftables.masqueradeBit                       ¦ 14 ¦ 0  31 ¦ 32 = must be 0 to 31
            nftables.masqueradeAll                       ¦ false ¦ true ¦ x = TRUTH
            nftables.syncPeriod                          ¦ 30s ¦ 1h  0s ¦ 1d = DURATION
            nftables.minSyncPeriod                       ¦ 0s ¦ 1s ¦ 31s = must not be more than nftables.syncPeriod, 30s
            detectLocalMode                              ¦ ClusterCIDR ¦ ClusterCIDR  NodeCIDR ¦ Bridge = must be one of ClusterCIDR, NodeCIDR, BridgeInterface, InterfaceNamePrefix  BridgeInterface = required with detectLocalMode BridgeInterface  InterfaceNamePrefix = required with detectLocalMode InterfaceNamePrefix
            detectLocal.bridgeInterface                  ¦ ¦ cni0 ¦
            detectLocal.interfaceNamePrefix              ¦ ¦ veth ¦
            clusterCIDR                                  ¦ ¦ 10.0.0.0/8  fd00::/8,10.0.0.0/8 ¦ 10.0.0.0/33 = prefix length  10.0.0.0/8,10.1.0.0/16 = must be one value, or two of different IP families
            nodePortAddresses                            ¦ ¦ primary  10.0.0.0/8  10.0.0.0/8,fd00::/8  0.0.0.0/0 ¦ primary,10.0.0.0/8 = primary must stand alone  10.0.0.1 = no "/" and prefix length
            oomScoreAdj                                  ¦ -999 ¦ -1000  0  1000 ¦ -1001 = must be -1000 to 1000  1001 = must be -1000 to 1000
            conntrack.maxPerCore                         ¦ 32768 ¦ 0  1048576 ¦ -1 = COUNT
            conntrack.min                                ¦ 131072 ¦ 0  1 ¦ -1 = COUNT
            conntrack.tcpEstablishedTimeout              ¦ 24h ¦ 0s  1s ¦ -1s = DURATION
            conntrack.tcpCloseWaitTimeout                ¦ 1h ¦ 0s  1s ¦ -1s = DURATION
            conntrack.tcpBeLiberal                       ¦ false ¦ true ¦ x = TRUTH
            conntrack.udpTimeout                         ¦ 0s ¦ 30s ¦ -1s = DURATION
            conntrack.udpStreamTimeout                   ¦ 0s ¦ 30s ¦ -1s = DURATION
            configSyncPeriod                             ¦ 15m ¦ 1m  0s ¦ x = DURATION
            logging.format                               ¦ text ¦ text  json ¦ xml = must be one of text, json
            logging.verbosity                            ¦ 0 ¦ 2  9 ¦ -1 = COUNT
            logging.flushFrequency                       ¦ 5s ¦ 1s  0  7000000000 ¦ x = DURATION  -1 = DURATION
            logging.options.json.infoBufferSize          ¦ 0 ¦ 64Ki ¦
            logging.options.json.splitStream             ¦ false ¦ true ¦ x = TRUTH
            logging.options.text.infoBufferSize          ¦ 0 ¦ 64Ki ¦
            logging.options.text.splitStream             ¦ false ¦ true ¦ x = TRUTH
            """;

    record Row(String path, String usual, List<String> taken, List<String> refused) {
        static Row parse(String line) {
            String[] cells =
                    Arrays.stream(line.split("¦", -1)).map(String::strip).toArray(String[]::new);
            return new Row(cells[0], cells[1], split(cells[2]), split(cells[3]));
        }

        private static List<String> split(String cell) {
            return Stream.of(cell.split("  +", -1)).filter(v -> !v.isEmpty()).toList();
        }

        @Override
        public String toString() {
            return path;
        }
    }

    static Stream<Row> rows() {
        return TABLE.lines().map(Row::parse);
    }

    private static ConfigResult read(String path, String value) {
        String text = value.contains(",") && !path.equals("clusterCIDR") ? "[" + value + "]" : "\"" + value + "\"";
        String[] parts = path.split("\\.", -1);
        String file = String.join(": {", parts) + ": " + text + "}".repeat(parts.length - 1);
        // A section that is not in use is not refused.
        String mode = parts[0].equals("ipvs") || parts[0].equals("nftables") ? "\nmode: " + parts[0] : "";
        return ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("c.yaml", file + mode)), Optional.empty(), Map.of()));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void field(Row row) {
        Key key = Key.ofPath(row.path()).orElseThrow();
        assertThat(key.fallback()).isEqualTo(row.usual());
        for (String value : row.taken()) {
            assertThat(read(row.path(), value)).as(value).isInstanceOf(ConfigResult.Usable.class);
        }
        for (String refusal : row.refused()) {
            Matcher parts = Pattern.compile("(.*?) = (.*)").matcher(refusal);
            assertThat(parts.matches()).isTrue();
            String rule = parts.group(2)
                    .replace("DURATION", DURATION)
                    .replace("COUNT", COUNT)
                    .replace("TRUTH", TRUTH);
            ConfigResult result = read(row.path(), parts.group(1));
            assertThat(result).as(refusal).isInstanceOf(ConfigResult.Refused.class);
            assertThat(((ConfigResult.Refused) result).problems())
                    .filteredOn(Problem::isError)
                    .singleElement()
                    .asString()
                    .contains(rule)
                    .satisfiesAnyOf(
                            text -> assertThat(text).startsWith("c.yaml:1: " + row.path() + ": "),
                            text -> assertThat(text).startsWith("flag --pod-"));
        }
    }

    @Test
    void everyFieldOfKubeProxyIsInTheTable() {
        Set<String> tested = rows().map(Row::path).collect(Collectors.toSet());
        tested.add("featureGates");
        assertThat(Stream.of(Key.values()).map(Key::path).filter(path -> !path.isEmpty() && !path.startsWith(Key.OWN)))
                .allMatch(tested::contains);
    }

    /** Those of kube-proxy 1.36, beside the ones that say what to do instead of running. */
    @Test
    void everyFlagOfKubeProxyIsThere() {
        Set<String> flags = Stream.of(Key.values())
                .filter(key -> !key.isOwnFlag())
                .flatMap(key -> key.flags().stream())
                .collect(Collectors.toSet());
        assertThat(flags).containsExactlyInAnyOrder("""
                        --feature-gates --kubeconfig --master --kube-api-content-type --kube-api-burst --kube-api-qps
                        --hostname-override --bind-address --healthz-bind-address --metrics-bind-address --bind-address-hard-fail
                        --profiling --boot-id-file --machine-id-file --show-hidden-metrics-for-version --proxy-mode --iptables-masquerade-bit --masquerade-all
                        --iptables-localhost-nodeports --iptables-sync-period --iptables-min-sync-period
                        --ipvs-sync-period --ipvs-min-sync-period --ipvs-scheduler --ipvs-exclude-cidrs --ipvs-strict-arp
                        --ipvs-tcp-timeout --ipvs-tcpfin-timeout --ipvs-udp-timeout
                        --detect-local-mode --pod-bridge-interface --pod-interface-name-prefix --cluster-cidr --nodeport-addresses
                        --oom-score-adj --conntrack-max-per-core --conntrack-min --conntrack-tcp-timeout-established
                        --conntrack-tcp-timeout-close-wait --conntrack-tcp-be-liberal --conntrack-udp-timeout
                        --conntrack-udp-timeout-stream --config-sync-period --healthz-port --metrics-port
                        --v -v --vmodule --logging-format --log-flush-frequency --log-json-info-buffer-size --log-json-split-stream
                        --log-text-info-buffer-size --log-text-split-stream""".split("\\s+", -1));
    }

    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {MultiCIDRServiceAllocator: true, AllAlpha: false} | ``
                    {MultiCIDRServiceAllocator: false} | MultiCIDRServiceAllocator cannot be switched off, it is locked to true
                    {NFTablesProxyMode: maybe}         | NFTablesProxyMode must be true or false, not "maybe"
                    {no-gate: true}                    | no-gate is not a feature gate
                    {AllowServiceExternalIPs: false}   | ``
                    {GracefulNodeShutdown: true}       | GracefulNodeShutdown is no feature gate of a proxy in Kubernetes 1.36, ignored
                    [A]                                | must be an object of values, not a list
                    """)
    void featureGates(String gates, String message) {
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("c.yaml", "featureGates: " + gates)), Optional.empty(), Map.of()));
        List<Problem> problems = switch (result) {
            case ConfigResult.Refused(List<Problem> all) -> all;
            case ConfigResult.Usable usable -> usable.warnings();
        };
        assertThat(problems.stream().map(Problem::rule)).isEqualTo(message.isEmpty() ? List.of() : List.of(message));
    }

    @Test
    void externalIpsAreServedUnlessTheirGateIsOff() {
        assertThat(usable("").externalIps()).isTrue();
        assertThat(usable("featureGates: {AllowServiceExternalIPs: true}").externalIps())
                .isTrue();
        assertThat(usable("featureGates: {AllBeta: false, AllowServiceExternalIPs: false}")
                        .externalIps())
                .isFalse();
    }

    /** A KubeProxyConfiguration written out by a Go program that set nothing has an empty text here. */
    @Test
    void anEmptyAddressIsTheDefault() {
        assertThat(usable("bindAddress: \"\"")).isEqualTo(usable("bindAddress: 0.0.0.0"));
    }

    private static AgentConfig usable(String text) {
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("c.yaml", text)), Optional.empty(), Map.of()));
        assertThat(result).isInstanceOf(ConfigResult.Usable.class);
        return ((ConfigResult.Usable) result).config();
    }

    /** What a common installer writes by default: every field is there, and nearly all of them are empty. */
    @Test
    void theFileOfAnInstallerIsTakenWithoutAWord() {
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("config.conf", """
                        apiVersion: kubeproxy.config.k8s.io/v1alpha1
                        kind: KubeProxyConfiguration
                        bindAddress: 0.0.0.0
                        bindAddressHardFail: false
                        clientConnection: {acceptContentTypes: "", burst: 0, contentType: "", kubeconfig: /var/lib/kube-proxy/kubeconfig.conf, qps: 0}
                        clusterCIDR: 10.244.0.0/16,fd00:10:244::/56
                        configSyncPeriod: 0s
                        conntrack: {maxPerCore: null, min: null, tcpBeLiberal: false, tcpCloseWaitTimeout: null, tcpEstablishedTimeout: null, udpStreamTimeout: 0s, udpTimeout: 0s}
                        detectLocal: {bridgeInterface: "", interfaceNamePrefix: ""}
                        detectLocalMode: ""
                        enableProfiling: false
                        healthzBindAddress: ""
                        hostnameOverride: ""
                        iptables: {localhostNodePorts: null, masqueradeAll: false, masqueradeBit: null, minSyncPeriod: 0s, syncPeriod: 0s}
                        ipvs: {excludeCIDRs: null, minSyncPeriod: 0s, scheduler: "", strictARP: false, syncPeriod: 0s, tcpFinTimeout: 0s, tcpTimeout: 0s, udpTimeout: 0s}
                        logging: {flushFrequency: 0, options: {json: {infoBufferSize: "0"}, text: {infoBufferSize: "0"}}, verbosity: 0}
                        metricsBindAddress: ""
                        mode: ""
                        nftables: {masqueradeAll: false, masqueradeBit: null, minSyncPeriod: 0s, syncPeriod: 0s}
                        nodePortAddresses: null
                        oomScoreAdj: null
                        portRange: ""
                        showHiddenMetricsForVersion: ""
                        winkernel: {enableDSR: false, forwardHealthCheckVip: false, networkName: "", rootHnsEndpointName: "", sourceVip: ""}
                        """)),
                Optional.empty(),
                Map.of(Key.HOSTNAME_OVERRIDE, "node-1")));
        assertThat(result).isInstanceOf(ConfigResult.Usable.class);
        ConfigResult.Usable usable = (ConfigResult.Usable) result;
        assertThat(usable.warnings()).isEmpty();
        ConfigResult.Usable nothing = (ConfigResult.Usable)
                ConfigReader.read(new ConfigReader.Input(Optional.empty(), Optional.empty(), Map.of()));
        assertThat(usable.config().conntrack()).isEqualTo(nothing.config().conntrack());
        assertThat(usable.config().rules()).isEqualTo(nothing.config().rules());
        assertThat(usable.config().endpoints()).isEqualTo(nothing.config().endpoints());
        assertThat(usable.config().host()).isEqualTo(nothing.config().host());
        assertThat(usable.config().source().toString()).contains("qps=5.0, burst=10");
    }

    /** kube-proxy 1.36 has one period for both modes; of its flags, those named after iptables set it. */
    @Test
    void periodsOfFlagsNamedAfterIptablesApplyInNftablesMode() {
        Map<Key, String> flags = Map.of(Key.MODE, "nftables", Key.SYNC_PERIOD, "1m", Key.MIN_SYNC_PERIOD, "45s");
        ConfigResult.Usable usable = flags(flags);
        assertThat(usable.config().rules().syncPeriod()).isEqualTo(Duration.ofMinutes(1));
        assertThat(usable.config().rules().minSyncPeriod()).isEqualTo(Duration.ofSeconds(45));
        ConfigResult written = ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("written", ConfigText.of(usable.given()))),
                Optional.empty(),
                Map.of()));
        assertThat(((ConfigResult.Usable) written).config().rules())
                .isEqualTo(usable.config().rules());

        Map<Key, String> own = new EnumMap<>(flags);
        own.put(Key.NFTABLES_MIN_SYNC_PERIOD, "2s");
        assertThat(flags(own).config().rules().minSyncPeriod()).isEqualTo(Duration.ofSeconds(2));
        assertThat(flags(own).config().rules().syncPeriod()).isEqualTo(Duration.ofMinutes(1));

        own.put(Key.MODE, "ipvs");
        assertThat(flags(own).config().rules().minSyncPeriod()).isZero();
        own.put(Key.MIN_SYNC_PERIOD, "2m");
        own.remove(Key.NFTABLES_MIN_SYNC_PERIOD);
        assertThat(flags(own).config().rules().minSyncPeriod()).isZero();
        own.put(Key.MODE, "nftables");
        ConfigResult refused = ConfigReader.read(new ConfigReader.Input(Optional.empty(), Optional.empty(), own));
        assertThat(((ConfigResult.Refused) refused).problems())
                .extracting(Problem::toString)
                .containsExactly(
                        "flag --iptables-min-sync-period: \"2m\": must not be more than iptables.syncPeriod, 1m");
    }

    /** In a file each mode has a section of its own. */
    @Test
    void periodsOfTheSectionIptablesDoNotApplyInNftablesMode() {
        ConfigResult read = ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("c.yaml", "mode: nftables\niptables: {minSyncPeriod: 10s}\n")),
                Optional.empty(),
                Map.of()));
        assertThat(((ConfigResult.Usable) read).config().rules().minSyncPeriod())
                .isZero();
    }

    private static ConfigResult.Usable flags(Map<Key, String> flags) {
        return (ConfigResult.Usable)
                ConfigReader.read(new ConfigReader.Input(Optional.empty(), Optional.empty(), flags));
    }

    @Test
    void printedConfigurationIsEquivalent() {
        Map<Key, String> flags = Map.of(
                Key.CLUSTER_CIDR, "10.0.0.0/8,fd00::/8",
                Key.NODE_PORT_ADDRESSES, "10.0.0.0/8,fd00::/8",
                Key.HOSTNAME_OVERRIDE, "no",
                Key.FEATURE_GATES, "AllAlpha=false",
                Key.OOM_SCORE_ADJ, "-5",
                Key.BIND_ADDRESS, "fd00::1",
                Key.MODE, "nftables",
                Key.MASQUERADE_ALL, "true",
                Key.NODE_IPS, "ipv6,10.0.0.1");
        ConfigResult.Usable first = (ConfigResult.Usable)
                ConfigReader.read(new ConfigReader.Input(Optional.empty(), Optional.empty(), flags));
        String text = ConfigText.of(first.given());
        ConfigResult.Usable again = (ConfigResult.Usable) ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("written", text)), Optional.empty(), Map.of()));
        assertThat(again.config()).isEqualTo(first.config());
        assertThat(again.warnings()).isEmpty();
        assertThat(text).contains("hostnameOverride: \"no\"\n", "featureGates:\n  AllAlpha: false\n", "- ipv6\n");
    }

    @Test
    void whatIsShownOverHttp() {
        ConfigResult.Usable usable = (ConfigResult.Usable) ConfigReader.read(new ConfigReader.Input(
                Optional.empty(),
                Optional.empty(),
                Map.of(Key.NODE_PORT_ADDRESSES, "10.0.0.0/8", Key.FEATURE_GATES, "AllBeta=true", Key.VERBOSITY, "2")));
        ShownConfig shown = ConfigText.shown(usable.given());
        assertThat(shown.configz())
                .startsWith(
                        "{\"kubeproxy.config.k8s.io\": {\"bindAddress\": \"0.0.0.0\", \"bindAddressHardFail\": false, ")
                .contains(
                        "\"featureGates\": {\"AllBeta\": true}",
                        "\"nodePortAddresses\": [\"10.0.0.0/8\"]",
                        "\"qps\": 5")
                .endsWith("}}");
        assertThat(YamlText.documents(shown.configz())).singleElement().isInstanceOf(Document.Parsed.class);
        assertThat(shown.flags())
                .containsEntry("v", "2")
                .containsEntry("proxy-mode", "iptables")
                .hasSize(Key.values().length);
    }

    /** kube-proxy reads a number, or a text with a unit. */
    @Test
    void nanosecondsWithoutAUnitAreWrittenWithOne() {
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("config.conf", """
                        apiVersion: kubeproxy.config.k8s.io/v1alpha1
                        kind: KubeProxyConfiguration
                        logging: {flushFrequency: 7000000000}
                        """)), Optional.empty(), Map.of()));
        assertThat(result)
                .isInstanceOfSatisfying(
                        ConfigResult.Usable.class,
                        usable -> assertThat(ConfigText.of(usable.given()))
                                .contains("\n  flushFrequency: 7000000000ns\n"));
    }

    /** Flags allow more spellings than JSON, and than kube-proxy does in a file. */
    @Test
    void truthValuesAndNumbersAreShownAndWrittenAsJsonAndYamlHaveThem() {
        ConfigResult.Usable usable = flags(Map.of(
                Key.MASQUERADE_ALL, "T",
                Key.NFTABLES_MASQUERADE_ALL, "0",
                Key.LOCALHOST_NODE_PORTS, "FALSE",
                Key.OOM_SCORE_ADJ, "+5",
                Key.CONNTRACK_MIN, "007",
                Key.KUBE_API_QPS, "07.50"));
        Tree shown = Objects.requireNonNull(
                JsonTree.read(ConfigText.shown(usable.given()).configz().getBytes(StandardCharsets.UTF_8))
                        .orElseThrow()
                        .entries()
                        .get("kubeproxy.config.k8s.io"));
        String text = ConfigText.of(usable.given());
        assertThat(YamlText.documents(text)).singleElement().isInstanceOfSatisfying(Document.Parsed.class, written -> {
            for (Tree top : List.of(Objects.requireNonNull(written.tree()), shown)) {
                assertThat(JsonPrint.line(top))
                        .contains(
                                "\"iptables\": {\"localhostNodePorts\": false, \"masqueradeAll\": true,",
                                "\"nftables\": {\"masqueradeAll\": false,",
                                "\"oomScoreAdj\": 5,",
                                "\"min\": 7,",
                                "\"qps\": 7.50");
            }
        });
    }

    @Test
    void portsOfFlags() {
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.empty(),
                Optional.empty(),
                Map.of(Key.HEALTHZ_BIND_ADDRESS, "127.0.0.1", Key.HEALTHZ_PORT, "77", Key.METRICS_PORT, "0")));
        ConfigResult.Usable usable = (ConfigResult.Usable) result;
        assertThat(usable.config().endpoints().healthz().orElseThrow()).hasToString("127.0.0.1:77");
        assertThat(usable.config().endpoints().metrics()).isEmpty();
        assertThat(usable.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "flag --healthz-port: \"77\": is deprecated; write --healthz-bind-address",
                        "flag --metrics-port: \"0\": is deprecated; write --metrics-bind-address");
        assertThat(ConfigText.of(usable.given()))
                .contains("\nhealthzBindAddress: \"127.0.0.1:77\"\n", "\nmetricsBindAddress: \"\"\n");
        assertThat(ConfigText.shown(usable.given()).configz())
                .contains("\"healthzBindAddress\": \"127.0.0.1:77\"", "\"metricsBindAddress\": \"\"");
        assertThat(EnumSet.allOf(Key.class))
                .filteredOn(key -> key.path().isEmpty())
                .hasSize(5);
    }
}
