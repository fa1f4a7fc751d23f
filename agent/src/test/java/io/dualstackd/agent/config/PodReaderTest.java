package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The networks of a lone node's pods. */
final class PodReaderTest {
    private static ConfigResult read(String cluster, String... flags) {
        Map<Key, String> given = new HashMap<>(Map.of(Key.STANDALONE, "true", Key.MANIFESTS, "/m"));
        if (!cluster.isEmpty()) {
            given.put(Key.CLUSTER_CIDR, cluster);
        }
        for (String flag : flags) {
            String[] parts = flag.split("=", 2);
            for (Key key : Key.values()) {
                if (key.flag().equals("--" + parts[0])) {
                    given.put(key, parts[1]);
                }
            }
        }
        return ConfigReader.read(new ConfigReader.Input(Optional.empty(), Optional.empty(), given));
    }

    private static String networks(ConfigResult result) {
        assertThat(result).isInstanceOf(ConfigResult.Usable.class);
        return ((ConfigResult.Usable) result).config().pods().cidrs().toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.244.0.0/16,fd00:10:244::/56 | write-cni=/d/10.conflist      | 10.244.0.0/24,fd00:10:244::/64",
                "fd00:10:244::/56,10.244.0.0/16 | write-cni=/d/10.conflist      | fd00:10:244::/64,10.244.0.0/24",
                "10.244.0.0/16,fd00:10:244::/56 | node-cidr-mask-size-ipv4=26   | 10.244.0.0/26,fd00:10:244::/64",
                "10.244.0.0/16,fd00:10:244::/56 | node-cidr-mask-size-ipv6=80   | 10.244.0.0/24,fd00:10:244::/80",
                "10.244.0.0/24                  | write-cni=/d/10.conflist      | 10.244.0.0/24",
                "10.244.0.0/16                  | write-cni=                    | ''",
            })
    void areTheFirstSubnetsOfTheRequestedSize(String cluster, String flag, String expected) {
        assertThat(networks(read(cluster, flag.strip()))).isEqualTo(expected);
    }

    @Test
    void areThoseGivenBeforeAll() {
        assertThat(networks(read("10.244.0.0/16", "pod-cidr=10.244.9.0/24", "write-cni=/d/10.conflist")))
                .isEqualTo("10.244.9.0/24");
    }

    private static String refused(ConfigResult result) {
        return result instanceof ConfigResult.Refused refused
                ? refused.problems().toString()
                : "";
    }

    @Test
    void refusesInvalidPodSettingsWithTheRule() {
        assertThat(refused(read("10.244.0.0/16", "node-cidr-mask-size-ipv4=8")))
                .contains("--node-cidr-mask-size-ipv4", "\"8\"")
                .contains("must be 16, the length of --cluster-cidr 10.244.0.0/16, to 30");
        assertThat(refused(read("fd00::/48", "node-cidr-mask-size-ipv6=127"))).contains("to 126");
        assertThat(refused(read("10.244.0.0/25", "write-cni=/d/10.conflist")))
                .contains("--node-cidr-mask-size-ipv4", "must be 25");
        // Also where no network is made of that size.
        assertThat(refused(read("10.244.0.0/16", "node-cidr-mask-size-ipv6=abc")))
                .contains("\"abc\"", "must be 0 to 128");
        assertThat(refused(read("10.244.0.0/16", "pod-cidr=10.244.9.0/24", "node-cidr-mask-size-ipv4=33")))
                .contains("\"33\"", "must be 0 to 32");
        assertThat(refused(read("", "write-cni=/d/10.conflist"))).contains("needs --cluster-cidr or --pod-cidr");
        assertThat(refused(read("10.244.0.0/16", "write-cni=10.conflist")))
                .contains("must be the absolute path of a file that ends with .conflist");
        assertThat(refused(read("10.244.0.0/16", "write-cni=/d/10.conf"))).contains(".conflist");
        assertThat(refused(read("10.244.0.0/16", "standalone=false", "manifests=", "write-cni=/d/10.conflist")))
                .contains("has a meaning only with --standalone");
    }
}
