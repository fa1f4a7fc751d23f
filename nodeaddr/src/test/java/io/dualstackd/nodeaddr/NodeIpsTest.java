package io.dualstackd.nodeaddr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeIpsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ipv4,ipv6 | ipv4,ipv6",
                "IPv6 , IPv4 | ipv6,ipv4",
                "ipv4 | ipv4",
                "10.0.0.1 | 10.0.0.1",
                "FD01:0::1,10.0.0.1 | fd01::1,10.0.0.1",
                "10.0.0.1,ipv6 | 10.0.0.1,ipv6",
                "10.0.0.0/8,fd00::/8 | 10.0.0.0/8,fd00::/8",
                "interface:eth0 | interface:eth0/ipv4,interface:eth0/ipv6",
                "interface:eth0/ipv6 | interface:eth0/ipv6",
                "interface:eth0,10.0.0.1 | interface:eth0/ipv6,10.0.0.1",
                "ipv6,interface:eth0.100 | ipv6,interface:eth0.100/ipv4",
                "interface:a,interface:b | interface:a/ipv4,interface:b/ipv6",
                "interface:a/ipv6,interface:a/ipv4 | interface:a/ipv6,interface:a/ipv4",
            })
    void isReadAndWritten(String text, String canonical) {
        assertThat(NodeIps.parse(text)).hasToString(canonical);
        assertThat(NodeIps.parse(canonical)).isEqualTo(NodeIps.parse(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | it is empty",
                "10.0.0.1, | an element is empty",
                "ipv4,ipv4 | two elements must be of different IP families, these are both IPv4",
                "10.0.0.1,10.0.0.2 | both IPv4",
                "10.0.0.1,ipv4 | both IPv4",
                "interface:a/ipv4,ipv4 | both IPv4",
                "ipv4,ipv6,ipv4 | at most two elements",
                "ipv5 | an element is an address, ipv4, ipv6, interface:NAME or a network",
                "10.0.0.256 | an octet must be 0 to 255",
                "0.0.0.0 | write ipv4",
                "::,10.0.0.1 | write ipv6",
                "127.0.0.1 | nodeIP can't be loopback address",
                "fe80::1 | nodeIP can't be a link-local unicast address",
                "224.0.0.1 | nodeIP can't be a multicast address",
                "10.0.0.5/8 | the network is 10.0.0.0/8, the address is 10.0.0.5",
                "10.0.0.0/33 | the prefix length must be 0 to 32",
                "interface: | not an interface name",
                "interface:a-very-long-name | not an interface name",
                "interface:eth0/ipv5 | only /ipv4 or /ipv6",
                "interface:eth0 1 | not an interface name",
            })
    void mistakesAreNamed(String text, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeIps.parse(text))
                .withMessageStartingWith("node IPs \"" + text + "\": ")
                .withMessageContaining(rule);
    }

    @Test
    void theDefaultIsWhateverThereIs() {
        assertThat(NodeIps.DEFAULT).isEqualTo(NodeIps.parse("ipv4,ipv6"));
    }
}
