package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.OwnAddresses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which IP of each family the node is known by. Where kube-proxy falls back to a loopback address, there is none here. */
final class BindAddressTest {
    private static Optional<Ip> bind(String text) {
        ConfigResult.Usable usable = (ConfigResult.Usable) ConfigReader.read(
                new ConfigReader.Said(Optional.empty(), Optional.empty(), Map.of(Key.BIND_ADDRESS, text)));
        return usable.config().node().bindAddress();
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
        "90.90.90.90 2001:db8::2,::1,90.90.90.90,::1"
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
