package io.dualstackd.dataplane.rules.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectNamesTest {
    @ParameterizedTest
    @CsvSource({
        "testing/service/tcp/http, P4ZYZVCF",
        "testing/service/tcp/https, LZBRENCP",
        "testing/service/tcp/http__10.180.0.1/80, JO2XBXZR",
        "testing/service/tcp/http__10.180.0.2/80, 5S6H3H22",
        "testing/service/tcp/http__fd80.abcd.12..a1b2.c3d4.e5f6.9999/80, U7E2ET36",
        "ns1/svc1/tcp/p80, ULMVA6XW",
        "ns5/svc5/tcp/p80, HVFWP5L3"
    })
    void areThoseOfKubeProxy(String text, String hash) {
        assertThat(ObjectNames.hashed(text)).isEqualTo(hash + "-" + text);
    }

    @ParameterizedTest
    @CsvSource({"230, 239", "231, 240", "300, 240"})
    void areCutWhenTooLong(int length, int expected) {
        assertThat(ObjectNames.hashed("x".repeat(length))).hasSize(expected);
    }
}
