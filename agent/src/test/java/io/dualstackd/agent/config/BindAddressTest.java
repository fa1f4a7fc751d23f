package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.OwnAddresses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which IP of each family the node is known by. Where kube-proxy falls back to a loopback address, there is none here. */
final class BindAddressTest {
    private static List<Ip> bind(String text) {
        ConfigResult.Usable usable = (ConfigResult.Usable) ConfigReader.read(new ConfigReader.Input(
                Optional.empty(), Optional.empty(), Map.of(Key.BIND_ADDRESS, text.replace(' ', ','))));
        return usable.config().node().bindAddresses();
    }

    private static String refused(String text) {
        ConfigResult result = ConfigReader.read(
                new ConfigReader.Input(Optional.empty(), Optional.empty(), Map.of(Key.BIND_ADDRESS, text)));
        return result instanceof ConfigResult.Refused refused
                ? refused.problems().toString()
                : "";
    }

    @Test
    void twoOfOneFamilyAreRefused() {
        assertThat(refused("192.0.2.1,192.0.2.2"))
                .contains(
                        "--bind-address",
                        "192.0.2.1,192.0.2.2",
                        "must be one address, or two of different IP families");
        assertThat(refused("192.0.2.1,fd00::1,fd00::2")).contains("two of different IP families");
        assertThat(refused("192.0.2.1,x")).contains("is not an IP address");
    }

    /** The first one says whether health and metrics are served over IPv4 or IPv6. */
    @Test
    void theFirstOneDecidesWhereHealthIsServed() {
        assertThat(healthz("fd00::1,192.0.2.1")).isEqualTo(healthz("fd00::1"));
        assertThat(healthz("192.0.2.1,fd00::1")).isEqualTo(healthz("192.0.2.1")).isNotEqualTo(healthz("fd00::1"));
    }

    private static String healthz(String text) {
        ConfigResult.Usable usable = (ConfigResult.Usable) ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("c.yaml", "bindAddress: \"" + text + "\"")),
                Optional.empty(),
                Map.of()));
        return usable.config().endpoints().toString();
    }

    @ParameterizedTest(name = "{0} with {1}: {2} {3}")
    @CsvSource({
        "'',10.0.0.1,10.0.0.1,''",
        "'',fd00:4321::2,'',fd00:4321::2",
        "'',0.0.0.0,'',''",
        "192.168.1.1,0.0.0.0,192.168.1.1,''",
        "192.168.1.1,::,192.168.1.1,''",
        "fd00:1234::1,0.0.0.0,'',fd00:1234::1",
        "fd00:1234::1,::,'',fd00:1234::1",
        "90.90.90.90 2001:db8::2,::,90.90.90.90,2001:db8::2",
        "2001:db8::2 90.90.90.90,0.0.0.0,90.90.90.90,2001:db8::2",
        "2001:db8::2 90.90.90.90,80.80.80.80,80.80.80.80,2001:db8::2",
        "90.90.90.90 2001:db8::2,2001:db8::555,90.90.90.90,2001:db8::555",
        "2001:db8::2 90.90.90.90,127.0.0.1,127.0.0.1,2001:db8::2",
        "90.90.90.90 2001:db8::2,::1,90.90.90.90,::1",
        "90.90.90.90 2001:db8::2,80.80.80.80 2001:db8::555,80.80.80.80,2001:db8::555",
        "90.90.90.90 2001:db8::2,2001:db8::555 0.0.0.0,90.90.90.90,2001:db8::555",
        "'',192.168.1.1 fd00:1234::1,192.168.1.1,fd00:1234::1"
    })
    void vectors(String nodeIps, String bindAddress, String ipv4, String ipv6) {
        List<Ip> known = Stream.of(nodeIps.split(" ", -1))
                .filter(ip -> !ip.isEmpty())
                .map(Ip::parse)
                .toList();
        for (IpFamily family : IpFamily.values()) {
            OwnAddresses own = new OwnAddresses(
                    known.stream().filter(ip -> ip.family() == family).findFirst(), List.of());
            String expected = family == IpFamily.IPV4 ? ipv4 : ipv6;
            assertThat(own.knownBy(bind(bindAddress), family)
                            .nodeIp()
                            .map(Ip::toString)
                            .orElse(""))
                    .isEqualTo(expected);
        }
    }
}
