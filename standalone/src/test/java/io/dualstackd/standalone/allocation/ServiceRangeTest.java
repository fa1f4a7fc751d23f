package io.dualstackd.standalone.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes and bands of KEP-1880 and KEP-3070. */
final class ServiceRangeTest {
    @ParameterizedTest(name = "{0} has {1}")
    @CsvSource({
        "192.168.1.0/24,254",
        "192.168.1.0/30,2",
        "192.168.1.0/31,0",
        "192.168.1.0/32,0",
        "0.0.0.0/1,2147483646",
        "0.0.0.0/0,4294967294",
        "2001:db2::/112,65535",
        "2001:db2::/127,1",
        "2001:db2::/128,0",
        "2001:db2::/65,9223372036854775807",
        "2001:db2::/64,18446744073709551615",
        "2001:db2::/12,18446744073709551615"
    })
    void sizes(String network, String size) {
        assertThat(Long.toUnsignedString(range(network).size())).isEqualTo(size);
    }

    @ParameterizedTest(name = "the static band of {0} is {1}")
    @CsvSource({
        "10.0.0.0/32,0",
        "fd00::/128,0",
        "10.0.0.0/30,0",
        "10.0.0.0/28,0",
        "fd00::/126,0",
        "10.0.0.0/27,16",
        "10.0.0.0/24,16",
        "10.0.0.0/22,64",
        "10.0.0.0/8,256",
        "fd00::/124,0",
        "fd00::/122,16",
        "fd00::/118,64",
        "fd00::/64,256",
        "fd00::/12,256"
    })
    void staticBands(String network, long size) {
        assertThat(range(network).staticSize()).isEqualTo(size);
    }

    @ParameterizedTest(name = "number {1} of {0} is {2}")
    @CsvSource({
        "192.168.0.0/24,0,192.168.0.1",
        "192.168.0.0/24,253,192.168.0.254",
        "10.0.0.0/8,16777213,10.255.255.254",
        "fd00:1:2:3::/64,0,fd00:1:2:3::1",
        "fd00:1:2:3::/64,9223372036854775807,fd00:1:2:3:8000::",
        "fd00:1:2:3::/64,18446744073709551614,fd00:1:2:3:ffff:ffff:ffff:ffff",
        "2001:db8:1::/112,511,2001:db8:1::200"
    })
    void numbers(String network, String number, String ip) {
        long wanted = Long.parseUnsignedLong(number);
        assertThat(range(network).at(wanted)).isEqualTo(Ip.parse(ip));
        assertThat(range(network).numberOf(Ip.parse(ip))).isEqualTo(wanted);
        assertThat(range(network).contains(Ip.parse(ip))).isTrue();
    }

    @Test
    void theEndsOfANetworkAreNoServices() {
        assertThat(range("192.168.1.0/24").contains(Ip.parse("192.168.1.0"))).isFalse();
        assertThat(range("192.168.1.0/24").contains(Ip.parse("192.168.1.255"))).isFalse();
        assertThat(range("192.168.0.0/16").contains(Ip.parse("192.168.1.0"))).isTrue();
        assertThat(range("192.168.0.0/16").contains(Ip.parse("192.168.1.255"))).isTrue();
        assertThat(range("fd00::/112").contains(Ip.parse("fd00::"))).isFalse();
        assertThat(range("fd00::/112").contains(Ip.parse("fd00::ffff"))).isTrue();
        assertThat(range("fd00::/112").contains(Ip.parse("192.168.1.1"))).isFalse();
    }

    @Test
    void networksShorterThan64AreNotAllocatedFrom() {
        assertThat(range("fd00::/64").isAllocatable()).isTrue();
        assertThat(range("fd00::/63").isAllocatable()).isFalse();
        assertThat(range("10.0.0.0/8").isAllocatable()).isTrue();
    }

    private static ServiceRange range(String network) {
        return new ServiceRange(IpPrefix.parse(network));
    }
}
