package io.dualstackd.agent.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dns.ClientNetworks;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnsweredClientsTest {
    private static List<IpPrefix> networks(String texts) {
        return Stream.of(texts.split(" ", -1))
                .filter(text -> !text.isEmpty())
                .map(IpPrefix::parse)
                .toList();
    }

    @ParameterizedTest(name = "pods {0}, given {1}: {2} {3}")
    @CsvSource({
        // The node itself, whatever is configured.
        "10.244.0.0/16 fd00:244::/64, '', 127.0.0.1, true",
        "10.244.0.0/16 fd00:244::/64, '', 127.8.0.1, true",
        "10.244.0.0/16 fd00:244::/64, '', ::1, true",
        "10.244.0.0/16 fd00:244::/64, '', 203.0.113.5, true",
        "10.244.0.0/16 fd00:244::/64, '', 2001:db8::5, true",
        // Its neighbours are not answered.
        "10.244.0.0/16 fd00:244::/64, '', 203.0.113.6, false",
        "10.244.0.0/16 fd00:244::/64, '', 2001:db8::6, false",
        // Pods, and with their networks known, no other private address.
        "10.244.0.0/16 fd00:244::/64, '', 10.244.3.4, true",
        "10.244.0.0/16 fd00:244::/64, '', fd00:244::9, true",
        "10.244.0.0/16 fd00:244::/64, '', 10.0.0.1, false",
        "10.244.0.0/16 fd00:244::/64, '', fd00:1::9, false",
        // One family unknown: private networks of that family.
        "10.244.0.0/16, '', 10.0.0.1, false",
        "10.244.0.0/16, '', fd00:1::9, true",
        "10.244.0.0/16, '', fe80::9, true",
        "10.244.0.0/16, '', 2001:db8::6, false",
        "'', '', 10.0.0.1, true",
        "'', '', 172.31.255.255, true",
        "'', '', 172.32.0.0, false",
        "'', '', 192.168.7.7, true",
        "'', '', 100.127.0.1, true",
        "'', '', 100.128.0.1, false",
        "'', '', 169.254.1.1, true",
        "'', '', 203.0.113.6, false",
        // What is given comes on top, and makes its family known.
        "'', 203.0.113.0/24, 203.0.113.6, true",
        "'', 203.0.113.0/24, 10.0.0.1, false",
        "10.244.0.0/16, 203.0.113.0/24, 10.244.0.1, true",
    })
    void answered(String pods, String given, String client, boolean answered) {
        ClientNetworks clients = AnsweredClients.of(
                List.of(Ip.parse("203.0.113.5"), Ip.parse("2001:db8::5")), networks(pods), networks(given));
        assertThat(clients.contains(Ip.parse(client))).isEqualTo(answered);
    }
}
