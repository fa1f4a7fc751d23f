package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.pages.health.Listening;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What kube-proxy starts with is accepted, and means the same. */
final class AsKubeProxyTest {
    private static final Map<Key, String> STANDALONE = Map.of(Key.STANDALONE, "true", Key.MANIFESTS, "/m");

    private static ConfigResult read(String file, Map<Key, String> flags) {
        return ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("c.yaml", file)).filter(source -> !file.isEmpty()),
                Optional.empty(),
                flags));
    }

    private static ConfigResult.Usable usable(String file, Map<Key, String> flags) {
        ConfigResult result = read(file, flags);
        assertThat(result).isInstanceOf(ConfigResult.Usable.class);
        return (ConfigResult.Usable) result;
    }

    private static List<String> warnings(ConfigResult.Usable usable) {
        return usable.warnings().stream().map(Problem::toString).toList();
    }

    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {mode: iptables, ipvs: {minSyncPeriod: 60s}}           | ipvs.minSyncPeriod: "60s": is not in use in mode iptables, and would be refused where it is: must not be more than ipvs.syncPeriod, 30s
                    ipvs: {excludeCIDRs: [foo]}                            | ipvs.excludeCIDRs: "foo": is not in use in mode iptables, and would be refused where it is: "foo" is not a network: no "/" and prefix length
                    ipvs: {tcpTimeout: 12000000s}                          | ipvs.tcpTimeout: "12000000s": is not in use in mode iptables, and would be refused where it is: must be at most 1000000s: the kernel counts in ticks
                    nftables: {masqueradeBit: 99}                          | nftables.masqueradeBit: "99": is not in use in mode iptables, and would be refused where it is: must be 0 to 31
                    nftables: {masqueradeBit: x}                           | nftables.masqueradeBit: "x": is not in use in mode iptables, and would be refused where it is: must be 0 to 31
                    {mode: nftables, iptables: {minSyncPeriod: 31s}}       | iptables.minSyncPeriod: "31s": is not in use in mode nftables, and would be refused where it is: must not be more than iptables.syncPeriod, 30s
                    {mode: nftables, iptables: {masqueradeBit: 32}}        | iptables.masqueradeBit: "32": is not in use in mode nftables, and would be refused where it is: must be 0 to 31
                    {detectLocalMode: NodeCIDR, clusterCIDR: "10.244.0.0/16,10.245.0.0/16"} | clusterCIDR: "10.244.0.0/16,10.245.0.0/16": is not in use with detectLocalMode NodeCIDR, and would be refused where it is: must be one value, or two of different IP families
                    """)
    void whatIsNotInUseIsAWarning(String file, String warning) {
        ConfigResult.Usable usable = usable(file, Map.of());
        assertThat(warnings(usable)).containsExactly("c.yaml:1: " + warning);
        // It is shown and written as it is.
        assertThat(ConfigText.shown(usable.given()).configz()).isNotEmpty();
        assertThat(usable(ConfigText.of(usable.given()), Map.of()).config()).isEqualTo(usable.config());
    }

    @ParameterizedTest(name = "{0} {1} {2}: {3}")
    @CsvSource({
        "iptables,IPVS_MIN_SYNC_PERIOD,60s,is not in use in mode iptables",
        "iptables,NFTABLES_SYNC_PERIOD,x,is not in use in mode iptables",
        "ipvs,MIN_SYNC_PERIOD,2m,is not in use in mode ipvs",
        "ipvs,LOCALHOST_NODE_PORTS,maybe,is not in use in mode ipvs",
        "ipvs,IPVS_MIN_SYNC_PERIOD,60s,",
        "ipvs,MASQUERADE_BIT,32,",
        "nftables,MASQUERADE_BIT,32,is not in use in mode nftables",
        "nftables,SYNC_PERIOD,x,",
        "nftables,MIN_SYNC_PERIOD,2m,",
        "nftables,MASQUERADE_ALL,maybe,",
        "nftables,NFTABLES_MASQUERADE_BIT,32,",
    })
    void flagsThatAreNotInUse(String mode, Key key, String value, String warning) {
        ConfigResult result = read("", Map.of(Key.MODE, mode, key, value));
        if (warning == null) {
            assertThat(result).isInstanceOf(ConfigResult.Refused.class);
        } else {
            assertThat(result)
                    .isInstanceOfSatisfying(
                            ConfigResult.Usable.class,
                            usable -> assertThat(warnings(usable))
                                    .filteredOn(text -> text.startsWith("flag " + key.flag()))
                                    .singleElement()
                                    .asString()
                                    .contains(warning));
        }
    }

    @Test
    void aFlagOfOneSectionDoesNotRefuseThatOfAnother() {
        Map<Key, String> flags = Map.of(Key.MIN_SYNC_PERIOD, "20s", Key.NFTABLES_SYNC_PERIOD, "10s");
        assertThat(usable("", flags).warnings()).isEmpty();
    }

    /** There the networks of this node's pods are made from it. */
    @Test
    void theNetworkOfALoneNodeIsInUseInEveryMode() {
        Map<Key, String> flags = new EnumMap<>(STANDALONE);
        flags.put(Key.DETECT_LOCAL_MODE, "NodeCIDR");
        flags.put(Key.CLUSTER_CIDR, "10.244.0.0/16,10.245.0.0/16");
        assertThat(read("", flags)).isInstanceOf(ConfigResult.Usable.class);
        flags.put(Key.NODE_CIDR_MASK_SIZE_IPV4, "24");
        assertThat(read("", flags)).isInstanceOf(ConfigResult.Refused.class);
    }

    @ParameterizedTest
    @CsvSource({"F", "f", "0", "FALSE", "False", "false"})
    void gatesHaveTruthValuesOfGo(String off) {
        assertThat(usable("", Map.of(Key.FEATURE_GATES, "AllBeta=T,AllowServiceExternalIPs=" + off))
                        .config()
                        .externalIps())
                .isFalse();
        assertThat(read("", Map.of(Key.FEATURE_GATES, "NFTablesProxyMode=" + off))
                        .toString())
                .contains("cannot be switched off, it is locked to true");
        assertThat(read("", Map.of(Key.FEATURE_GATES, "AllBeta=fALSE"))).isInstanceOf(ConfigResult.Refused.class);
    }

    @Test
    void aStandaloneFlagHasThem() {
        Map<Key, String> flags = new EnumMap<>(STANDALONE);
        flags.put(Key.STANDALONE, "1");
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.empty(), Optional.empty(), Optional.of(new ConfigReader.Source("kubeadm.yaml", """
                        apiVersion: kubeadm.k8s.io/v1beta4
                        kind: ClusterConfiguration
                        featureGates: {AllowServiceExternalIPs: off}
                        networking: {serviceSubnet: 10.96.0.0/16}
                        """)), flags));
        assertThat(result).isInstanceOfSatisfying(ConfigResult.Usable.class, usable -> {
            assertThat(usable.config().serviceApi()).isPresent();
            assertThat(usable.config().externalIps()).isFalse();
        });
    }

    @Test
    void truthValuesOfYaml() {
        for (String yes : List.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE")) {
            assertThat(usable("iptables: {masqueradeAll: " + yes + "}", Map.of())
                            .config()
                            .rules()
                            .masqueradeAll())
                    .isTrue();
        }
        for (String no : List.of("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE")) {
            ConfigResult.Usable usable = usable(
                    "{iptables: {localhostNodePorts: " + no + "}, featureGates: {AllowServiceExternalIPs: " + no
                            + "}, enableProfiling: " + no + ", enableContentionProfiling: " + no + "}",
                    Map.of());
            assertThat(usable.config().rules().localhostNodePorts()).isFalse();
            assertThat(usable.config().externalIps()).isFalse();
            assertThat(usable.warnings()).isEmpty();
        }
        assertThat(read("iptables: {masqueradeAll: yEs}", Map.of())).isInstanceOf(ConfigResult.Refused.class);
        // Flags have those of Go only, and so has our own section.
        assertThat(read("", Map.of(Key.MASQUERADE_ALL, "yes"))).isInstanceOf(ConfigResult.Refused.class);
        assertThat(read("dualstackd: {setForwarding: yes}", Map.of())).isInstanceOf(ConfigResult.Refused.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-1,-1",
        "+7,7",
        "0x1F,31",
        "0X1f,31",
        "-0x10,-16",
        "0o17,15",
        "0O17,15",
        "017,15",
        "0b101,5",
        "1_000,1000",
        "0x_1f,31",
        "08,8",
        "1__0,",
        "_1,",
        "1_,",
        "0x,",
        "1e2,",
        "1.5,",
        "'',",
        "99999999999999999999,"
    })
    void wholeNumbersOfGo(String text, Long number) {
        assertThat(GoText.whole(text)).isEqualTo(Optional.ofNullable(number));
    }

    @ParameterizedTest
    @CsvSource({
        "5,5",
        "1e2,100",
        "1E+2,100",
        ".5,0.5",
        "5.,5",
        "-1,-1",
        "+0.25,0.25",
        "1e39,",
        "1e999,",
        "x,",
        "'',",
        ".,"
    })
    void fractionsOfGo(String text, BigDecimal number) {
        Optional<BigDecimal> read = GoText.fraction(text);
        assertThat(read.isPresent()).isEqualTo(number != null);
        read.ifPresent(value -> assertThat(value).isEqualByComparingTo(number));
    }

    @Test
    void numbersOfFlagsAndFilesAreWrittenAsDecimals() {
        Map<Key, String> flags = Map.of(
                Key.MASQUERADE_BIT, "0x10",
                Key.OOM_SCORE_ADJ, "-0o17",
                Key.CONNTRACK_MIN, "1_000",
                Key.HEALTHZ_BIND_ADDRESS, "127.0.0.01",
                Key.HEALTHZ_PORT, "0x50",
                Key.KUBE_API_QPS, "1e2");
        ConfigResult.Usable usable = usable("", flags);
        assertThat(usable.config().rules().masqueradeBit()).isEqualTo(16);
        assertThat(usable.config().host().oomScoreAdj()).isEqualTo(-15);
        assertThat(ConfigText.of(usable.given()))
                .contains("masqueradeBit: 16\n", "oomScoreAdj: -15\n", "min: 1000\n", "qps: 100\n", "127.0.0.1:80\"\n");
        assertThat(usable("clientConnection: {qps: 1e2}", Map.of())
                        .config()
                        .source()
                        .toString())
                .contains("qps=100.0");
    }

    @ParameterizedTest(name = "{0} with {1} → {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    clusterCIDR: "@,fd00::/8"           | 010.244.0.0/016  | 10.244.0.0/16
                    nodePortAddresses: [@]              | 192.168.000.0/24 | 192.168.0.0/24
                    bindAddress: @                      | 010.0.0.08       | 10.0.0.8
                    healthzBindAddress: @               | 127.0.0.01:80    | 127.0.0.1:80
                    metricsBindAddress: @               | 127.000.000.001  | 127.0.0.1
                    {mode: ipvs, ipvs: {excludeCIDRs: [@]}} | 010.0.0.0/8  | 10.0.0.0/8
                    """)
    void leadingZerosAreIgnoredWithAWarning(String file, String written, String read) {
        ConfigResult.Usable usable = usable(file.replace("@", written), Map.of());
        assertThat(warnings(usable))
                .filteredOn(warning -> !warning.contains("deprecated"))
                .singleElement()
                .asString()
                .endsWith(": leading zeros are ignored, read as " + read + "; write it so");
        assertThat(usable.config())
                .isEqualTo(usable(file.replace("@", read), Map.of()).config());
    }

    @Test
    void leadingZerosThatKubeProxyRefuses() {
        assertThat(read("", Map.of(Key.CLUSTER_CIDR, "010.256.0.0/16"))).isInstanceOf(ConfigResult.Refused.class);
        assertThat(read("", Map.of(Key.POD_CIDR, "010.244.0.0/24"))).isInstanceOf(ConfigResult.Refused.class);
        assertThat(((DetectLocal.ClusterCidr) usable("", Map.of(Key.CLUSTER_CIDR, "00ff::/16"))
                                .config()
                                .detectLocal())
                        .toString())
                .contains("ff::/16");
        assertThat(usable("", Map.of(Key.CLUSTER_CIDR, "00ff::/16")).warnings()).isEmpty();
    }

    @Test
    void contentTypesThatAreNotKnown() {
        ConfigResult.Usable usable =
                usable("clientConnection: {contentType: application/cbor, acceptContentTypes: text/xml}", Map.of());
        assertThat(usable.config().source().toString()).contains("format=" + WireFormat.PROTOBUF);
        assertThat(warnings(usable))
                .containsExactly(
                        "c.yaml:1: clientConnection.acceptContentTypes: \"text/xml\": has no effect here",
                        "c.yaml:1: clientConnection.contentType: \"application/cbor\": is not known here,"
                                + " application/vnd.kubernetes.protobuf is used; known are application/vnd.kubernetes.protobuf,"
                                + " application/json");
        assertThat(usable("clientConnection: {contentType: application/json}", Map.of())
                        .config()
                        .source()
                        .toString())
                .contains("format=application/json");
    }

    /** kube-proxy sets the defaults of flags before it reads any. */
    @Test
    void anIpv6BindAddressMovesMetricsInAFileOnly() {
        ConfigResult.Usable file = usable("bindAddress: fd00::1", Map.of());
        ConfigResult.Usable flag = usable("", Map.of(Key.BIND_ADDRESS, "fd00::1"));
        assertThat(metrics(file)).isEqualTo("[::1]:10249");
        assertThat(metrics(flag)).isEqualTo("127.0.0.1:10249");
        assertThat(file.config().endpoints().healthz())
                .isEqualTo(flag.config().endpoints().healthz());
        assertThat(ConfigText.of(file.given()))
                .contains("metricsBindAddress: \"[::1]:10249\"\n", "healthzBindAddress: \"[::]:10256\"\n");
        assertThat(ConfigText.of(flag.given()))
                .contains("metricsBindAddress: \"127.0.0.1:10249\"\n", "healthzBindAddress: \"0.0.0.0:10256\"\n");
    }

    private static String metrics(ConfigResult.Usable usable) {
        return usable.config().endpoints().metrics().map(Listening::toString).orElse("");
    }
}
