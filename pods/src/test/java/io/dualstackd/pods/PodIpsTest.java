package io.dualstackd.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists in tables are separated by blanks; a dash is an empty list or nothing. */
final class PodIpsTest {
    static List<String> list(String blanks) {
        return blanks.equals("-") ? List.of() : Arrays.asList(blanks.split(" "));
    }

    static List<Ip> ips(String blanks) {
        return list(blanks).stream().map(Ip::parse).toList();
    }

    private static String text(List<?> list) {
        return list.isEmpty()
                ? "-"
                : String.join(" ", list.stream().map(Object::toString).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        10.0.0.1 | -                   | 10.0.0.1
        10.0.0.1 | fd01::1             | 10.0.0.1 fd01::1
        -        | fd01::1             | fd01::1
        blah     | fd01::1             | -
        10.0.0.1 | blah                | -
        10.0.0.1 | EMPTY               | -
        -        | -                   | -
        10.0.0.1 | 10.0.0.2 fd01::1    | 10.0.0.1 10.0.0.2 fd01::1
        10.0.0.1 | 10.0.0.1 10.0.0.1   | 10.0.0.1 10.0.0.1 10.0.0.1
        010.0.0.1| FD01:0::1           | 010.0.0.1 FD01:0::1
        """)
    void usesAllAddressesOfTheRuntimeOrNone(String ip, String additional, String raw) {
        List<String> others =
                list(additional).stream().map(a -> a.equals("EMPTY") ? "" : a).toList();
        assertThat(text(PodIps.asReported(ip.equals("-") ? "" : ip, others))).isEqualTo(raw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -           | 10.0.0.1                                          | 10.0.0.1
        -           | 10.0.0.1 fd01::1234                               | 10.0.0.1 fd01::1234
        -           | fd01::1234 10.0.0.1                               | 10.0.0.1 fd01::1234
        192.168.1.1 | 10.0.0.1 fd01::1234                               | 10.0.0.1 fd01::1234
        192.168.1.1 | fd01::1234 10.0.0.1                               | 10.0.0.1 fd01::1234
        0.0.0.0     | fd01::1234 10.0.0.1                               | 10.0.0.1 fd01::1234
        fd00::5678  | 10.0.0.1 fd01::1234                               | fd01::1234 10.0.0.1
        fd00::5678  | fd01::1234 10.0.0.1                               | fd01::1234 10.0.0.1
        ::          | 10.0.0.1 fd01::1234                               | fd01::1234 10.0.0.1
        fd00::5678  | 10.0.0.1                                          | 10.0.0.1
        -           | fd01::1234                                        | fd01::1234
        -           | 10.0.0.1 10.0.0.2 10.0.0.3                        | 10.0.0.1
        -           | 10.0.0.1 10.0.0.2 fd01::1234 10.0.0.3 fd01::5678  | 10.0.0.1 fd01::1234
        -           | 010.000.000.001 fd01:0:0:0:0:0:0:1234             | 10.0.0.1 fd01::1234
        -           | -                                                 | -
        """)
    void onePerFamilyAndThePreferredOneFirst(String nodeIp, String raw, String podIps) {
        IpFamily preferred =
                nodeIp.equals("-") ? IpFamily.IPV4 : Ip.parse(nodeIp).family();
        assertThat(text(PodIps.sorted(list(raw), preferred))).isEqualTo(podIps);
    }

    /** KEP-563: the order of the runtime is kept; there is still one of each family at most. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        10.0.0.1 fd01::1234          | 10.0.0.1 fd01::1234
        fd01::1234 10.0.0.1          | fd01::1234 10.0.0.1
        fd01::1 fd01::2 10.0.0.1     | fd01::1 10.0.0.1
        10.0.0.1                     | 10.0.0.1
        -                            | -
        """)
    void withoutAPreferredFamilyTheRuntimesOrderIsKept(String raw, String podIps) {
        assertThat(text(PodIps.sorted(list(raw), Optional.<IpFamily>empty()))).isEqualTo(podIps);
    }

    /** The middle column is what the runtime reported and {@link PodIps#sorted} made of it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        10.0.0.1                | -                         | 10.0.0.1
        10.0.0.1 fd01::1234     | -                         | 10.0.0.1 fd01::1234
        10.0.0.1 fd01::1234     | 192.168.0.1               | 192.168.0.1 fd01::1234
        10.0.0.1 fd01::1234     | 192.168.0.1 2001:db8::2   | 192.168.0.1 2001:db8::2
        10.0.0.1 fd01::1234     | 2001:db8::2 192.168.0.1   | 2001:db8::2 192.168.0.1
        fd01::1234 10.0.0.1     | -                         | fd01::1234 10.0.0.1
        fd01::1234 10.0.0.1     | 192.168.0.1               | 192.168.0.1
        fd01::1234              | -                         | fd01::1234
        -                       | -                         | -
        """)
    void podsOnTheHostNetworkHaveTheNodesAddresses(String nodeIps, String known, String podIps) {
        assertThat(text(PodIps.onHostNetwork(ips(known), ips(nodeIps)))).isEqualTo(podIps);
    }
}
