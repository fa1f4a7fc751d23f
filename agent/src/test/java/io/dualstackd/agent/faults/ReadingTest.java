package io.dualstackd.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the oracle reads from rules, and that it sees each part of them that is missing. */
final class ReadingTest {
    private static final Path LISTED = Path.of("../dataplane/src/test/cases/table-ipv4.nft");
    private static final Destination EXTERNAL = new Destination("203.0.113.2", "tcp", 80);
    private static final Destination LOCAL = new Destination("203.0.113.3", "tcp", 80);
    private static final Destination STICKY = new Destination("172.30.0.6", "tcp", 80);

    private static final String SAVED = """
            *nat
            -A KUBE-EXT-A -s 10.0.0.0/8 -m comment --comment "pod traffic for faults/s:p external destinations" -j KUBE-SVC-A
            -A KUBE-EXT-A -m comment --comment "masquerade LOCAL traffic" -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ
            -A KUBE-EXT-A -m comment --comment "route LOCAL traffic" -m addrtype --src-type LOCAL -j KUBE-SVC-A
            -A KUBE-EXT-A -j KUBE-SVL-A
            -A KUBE-EXT-B -m comment --comment "masquerade traffic" -j KUBE-MARK-MASQ
            -A KUBE-EXT-B -j KUBE-SVC-B
            -A KUBE-FW-B -s 203.0.113.0/25 -m comment --comment "faults/t:p loadbalancer IP" -j KUBE-EXT-B
            -A KUBE-FW-B -m comment --comment "other traffic to faults/t:p will be dropped by KUBE-PROXY-FIREWALL"
            -A KUBE-NODEPORTS -p tcp -m comment --comment "faults/s:p" -m tcp --dport 3001 -j KUBE-EXT-A
            -A KUBE-SEP-1 -p tcp -m comment --comment "faults/s:p" -m tcp -j DNAT --to-destination 10.0.0.2:8080
            -A KUBE-SEP-2 -p tcp -m comment --comment "faults/s:p" -m tcp -j DNAT --to-destination 10.0.1.2:8080
            -A KUBE-SEP-3 -p tcp -m comment --comment "faults/t:p" -m recent --set --name KUBE-SEP-3 --mask 255.255.255.255 --rsource -m tcp -j DNAT --to-destination 10.0.0.3:8080
            -A KUBE-SERVICES -d 172.30.0.42/32 -p tcp -m comment --comment "faults/s:p cluster IP" -m tcp --dport 80 -j KUBE-SVC-A
            -A KUBE-SERVICES -d 1.2.3.4/32 -p tcp -m comment --comment "faults/t:p loadbalancer IP" -m tcp --dport 80 -j KUBE-FW-B
            -A KUBE-SVC-A -m comment --comment "faults/s:p -> 10.0.0.2:8080" -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-1
            -A KUBE-SVC-A -m comment --comment "faults/s:p -> 10.0.1.2:8080" -j KUBE-SEP-2
            -A KUBE-SVL-A -m comment --comment "faults/s:p -> 10.0.0.2:8080" -j KUBE-SEP-1
            -A KUBE-SVC-B -m comment --comment "faults/t:p -> 10.0.0.3:8080" -m recent --rcheck --seconds 10800 --reap --name KUBE-SEP-3 --mask 255.255.255.255 --rsource -j KUBE-SEP-3
            -A KUBE-SVC-B -m comment --comment "faults/t:p -> 10.0.0.3:8080" -j KUBE-SEP-3
            COMMIT
            *filter
            -A KUBE-PROXY-FIREWALL -d 1.2.3.4/32 -p tcp -m comment --comment "faults/t:p traffic not accepted by KUBE-FW-B" -m tcp --dport 80 -j DROP
            -A KUBE-SERVICES -d 172.30.0.43/32 -p tcp -m comment --comment "faults/u:p has no local endpoints" -m tcp --dport 80 -j DROP
            COMMIT
            """;

    private static Map<Destination, Set<String>> nftables(String listed) {
        return NftablesReading.of(listed, Destination.FRAME4);
    }

    private static Map<Destination, Set<String>> iptables(String saved) {
        return IptablesReading.of(saved, Destination.FRAME4);
    }

    @Test
    void nftablesDestinationsLeadWhereTheirPoliciesSay() throws IOException {
        Map<Destination, Set<String>> read = nftables(Files.readString(LISTED));

        assertThat(read)
                .containsEntry(
                        new Destination("172.30.0.1", "udp", 80),
                        Set.of("10.0.0.2 8080", "10.0.0.3 8080", "10.0.1.2 8080"))
                .containsEntry(EXTERNAL, Set.of("10.0.0.2 80", "10.0.1.2 80", "for 203.0.113.0/25"))
                .containsEntry(LOCAL, Set.of("10.0.0.2 80", "10.0.1.2 80"))
                .containsEntry(LOCAL.outside(), Set.of("10.0.0.2 80"))
                .containsEntry(new Destination("203.0.113.4", "tcp", 80), Set.of("10.0.1.2 80"))
                .containsEntry(new Destination("203.0.113.4", "tcp", 80).outside(), Set.of("dropped"))
                .containsEntry(new Destination("172.30.0.4", "tcp", 80), Set.of("dropped"))
                .containsEntry(new Destination("172.30.0.5", "tcp", 80), Set.of("refused"))
                .containsEntry(new Destination("0.0.0.0", "tcp", 30003), Set.of("10.0.0.2 80", "10.0.1.2 80"))
                .containsEntry(new Destination("0.0.0.0", "tcp", 30003).outside(), Set.of("10.0.0.2 80"))
                .containsEntry(new Destination("0.0.0.0", "tcp", 30004).outside(), Set.of("dropped"))
                .containsEntry(new Destination("0.0.0.0", "tcp", 30005), Set.of("refused"))
                .containsEntry(
                        STICKY, Set.of("10.0.0.2 80", "10.0.0.3 80", "10.0.1.2 80", "for 10800 s the one of before"))
                .containsEntry(
                        new Destination("0.0.0.0", "tcp", 30006).outside(),
                        Set.of("10.0.0.2 80", "10.0.0.3 80", "for 10800 s the one of before"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tcp . 30003 comment "ns/local:p node port" | udp . 30003
            203.0.113.3 . tcp . 80 . 0 : 10.0.0.2 . 80 } | 203.0.113.3 . tcp . 80 . 0 : 10.0.0.9 . 80 }
            tcp . 30003 . 0 : 10.0.0.2 . 80 } | tcp . 30003 . 1 : 10.0.0.2 . 80 }
            203.0.113.2 . tcp . 80 . 203.0.113.0/25 | 203.0.113.2 . tcp . 80 . 203.0.113.0/24
            203.0.113.2 . tcp . 80 comment "ns/edge:p load balancer IP" } | 203.0.113.9 . tcp . 80 }
            tcp . 30004 counter packets 0 bytes 0 comment "ns/away:p has no local endpoints" | tcp . 30009
            ip saddr timeout 3h | ip saddr timeout 2h
            goto service-PTDRTEPA-ns/sticky/tcp/p } | goto service-GONE-ns/sticky/tcp/p }
            numgen random mod 2 0 goto endpoint-FN5O7AVM | numgen random mod 3 0 goto endpoint-FN5O7AVM
            meta l4proto . th dport @local-node-ports-1 goto pick | meta l4proto . th dport @local-node-ports-1 jump pick
            dnat ip to meta l4proto . th dport . numgen random mod 2 map @node | dnat ip to meta l4proto . th dport . numgen random mod 1 map @node
            goto pick-local-endpoints | accept
            """)
    void findsDifferencesInNftables(String part, String instead) throws IOException {
        String listed = Files.readString(LISTED);
        assertThat(listed).contains(part);

        assertThat(nftables(listed.replace(part, instead))).isNotEqualTo(nftables(listed));
    }

    @Test
    void iptablesDestinationsLeadWhereTheirPoliciesSay() {
        assertThat(iptables(SAVED))
                .containsEntry(new Destination("172.30.0.42", "tcp", 80), Set.of("10.0.0.2 8080", "10.0.1.2 8080"))
                .containsEntry(new Destination("172.30.0.43", "tcp", 80), Set.of("dropped"))
                .containsEntry(new Destination("0.0.0.0", "tcp", 3001), Set.of("10.0.0.2 8080", "10.0.1.2 8080"))
                .containsEntry(new Destination("0.0.0.0", "tcp", 3001).outside(), Set.of("10.0.0.2 8080"))
                .containsEntry(
                        new Destination("1.2.3.4", "tcp", 80),
                        Set.of("10.0.0.3 8080", "for 10800 s the one of before", "for 203.0.113.0/25"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -A KUBE-EXT-A -j KUBE-SVL-A | -A KUBE-EXT-A -j KUBE-SVC-A
            --src-type LOCAL -j KUBE-MARK-MASQ | --src-type LOCAL -j ACCEPT
            "masquerade traffic" -j KUBE-MARK-MASQ | "masquerade traffic" -j ACCEPT
            -s 203.0.113.0/25 | -s 203.0.113.0/24
            traffic not accepted by KUBE-FW-B | traffic not accepted by KUBE-FW-C
            --dport 3001 -j KUBE-EXT-A | --dport 3002 -j KUBE-EXT-A
            --set --name KUBE-SEP-3 | --set --name KUBE-SEP-4
            --seconds 10800 | --seconds 60
            --probability 0.5 | --probability 0.3
            --to-destination 10.0.0.2:8080 | --to-destination 10.0.0.2:80
            has no local endpoints" -m tcp --dport 80 -j DROP | has no local endpoints" -m tcp --dport 80 -j ACCEPT
            """)
    void findsDifferencesInIptables(String part, String instead) {
        assertThat(SAVED).contains(part);

        assertThat(iptables(SAVED.replace(part, instead))).isNotEqualTo(iptables(SAVED));
    }
}
