package io.dualstackd.dataplane.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeIpPairTest {
    @ParameterizedTest(name = "[{0}] bound to {1}")
    @CsvSource(delimiter = '|', textBlock = """
            –                        | 10.0.0.1      | IPv4 | 10.0.0.1    | ::1
            –                        | fd00:4321::2  | IPv6 | 127.0.0.1   | fd00:4321::2
            –                        | 0.0.0.0       | IPv4 | 127.0.0.1   | ::1
            192.168.1.1              | 0.0.0.0       | IPv4 | 192.168.1.1 | ::1
            192.168.1.1              | ::            | IPv4 | 192.168.1.1 | ::1
            fd00:1234::1             | 0.0.0.0       | IPv6 | 127.0.0.1   | fd00:1234::1
            fd00:1234::1             | ::            | IPv6 | 127.0.0.1   | fd00:1234::1
            90.90.90.90, 2001:db8::2 | ::            | IPv4 | 90.90.90.90 | 2001:db8::2
            2001:db8::2, 90.90.90.90 | 0.0.0.0       | IPv6 | 90.90.90.90 | 2001:db8::2
            2001:db8::2, 90.90.90.90 | 80.80.80.80   | IPv4 | 80.80.80.80 | 2001:db8::2
            90.90.90.90, 2001:db8::2 | 2001:db8::555 | IPv6 | 90.90.90.90 | 2001:db8::555
            2001:db8::2, 90.90.90.90 | 127.0.0.1     | IPv4 | 127.0.0.1   | 2001:db8::2
            90.90.90.90, 2001:db8::2 | ::1           | IPv6 | 90.90.90.90 | ::1
            """)
    void detects(String ofNode, String bindAddress, String primary, String v4, String v6) {
        List<Ip> addresses = ofNode.equals("–")
                ? List.of()
                : Stream.of(ofNode.split(", ")).map(Ip::parse).toList();
        NodeIpPair ips = NodeIpPair.detect(addresses, Ip.parse(bindAddress));
        assertThat(ips.primary()).hasToString(primary);
        assertThat(ips.of(IpFamily.IPV4)).hasToString(v4);
        assertThat(ips.of(IpFamily.IPV6)).hasToString(v6);
    }
}
