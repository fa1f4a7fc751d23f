package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ColoursTest {
    private static final String TEXT = """
            dualstackd 0.1.0 on healthy: degraded
            source     manifests /ready: 12 services

                  MODE                  STATE     SERVICES  LAST CHANGE
            IPv4  iptables (nf_tables)  ready           12  ready
            IPv6  iptables (nf_tables)  retrying        12  3 s ago
            IPv4 changes in force after ready now

              error   web.yaml:18: error
            result      dropped
            SERVICE    STATE         LOCAL
            ok/error   no endpoint   0/0
            ok/ok      ok            0/2
            ok/wide-re ady           ok
            """;

    @Test
    void onlyStatesAreColoured() {
        assertThat(Colours.of(TEXT)).isEqualTo("""
                dualstackd 0.1.0 on healthy: Y[degraded]
                source     manifests /ready: 12 services

                      MODE                  STATE     SERVICES  LAST CHANGE
                IPv4  iptables (nf_tables)  G[ready]           12  ready
                IPv6  iptables (nf_tables)  Y[retrying]        12  3 s ago
                IPv4 changes in force after ready now

                  R[error]   web.yaml:18: error
                result      R[dropped]
                SERVICE    STATE         LOCAL
                ok/error   R[no endpoint]   0/0
                ok/ok      G[ok]            0/2
                ok/wide-re ady           ok
                """.replace("G[", "\u001b[32m")
                .replace("Y[", "\u001b[33m")
                .replace("R[", "\u001b[31m")
                .replace("]", "\u001b[0m"));
        assertThat(Colours.of(TEXT).replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(TEXT);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"-, xterm, true", "'', xterm, true", "1, xterm, false", "'', dumb, false", "'', '', true"})
    void theEnvironmentMayForbidColours(String noColor, String term, boolean expected) {
        Map<String, String> environment =
                noColor == null ? Map.of("TERM", term) : Map.of("NO_COLOR", noColor, "TERM", term);
        assertThat(new Terminal(environment, true).hasColours()).isEqualTo(expected);
        assertThat(new Terminal(environment, false).hasColours()).isFalse();
    }
}
