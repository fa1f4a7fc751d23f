package io.dualstackd.dns;

import static io.dualstackd.dns.SampleCluster.clusterIp;
import static io.dualstackd.dns.SampleCluster.port;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ZoneTest {
    private static final String SOA = "ns.dns.cluster.local. hostmaster.cluster.local. 1700000000 7200 1800 86400 5";

    private final Zone zone = SampleCluster.zone();

    /** Services that are missing because of an exception must not be denied. */
    @Test
    @SuppressWarnings("NullAway")
    void isNotReadyBeforeAllServicesAreApplied() {
        ServiceName name = new ServiceName("default", "unfit");
        // No decoder makes it.
        DnsService unfit = new DnsService(name, new DnsService.Kind.ExternalName(null), List.of(), false, List.of());
        Zone empty = new Zone(SampleCluster.settings());
        ZoneChange change = new ZoneChange(true, Map.of(name, Optional.of(unfit)));
        assertThatThrownBy(() -> empty.apply(change, 1)).isInstanceOf(NullPointerException.class);
        assertThat(empty.isReady()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        // Services with addresses: each family by its own type.
        "web.default.svc, A, 10.96.0.10",
        "web.default.svc, AAAA, fd00:96::10",
        "v4.default.svc, A, 10.96.0.11",
        "v4.default.svc, AAAA, NODATA",
        // As CoreDNS: a port has the addresses, too, and the underscores may be missing.
        "_http._tcp.web.default.svc, A, 10.96.0.10",
        "http.tcp.web.default.svc, A, 10.96.0.10",
        // Headless: endpoints that are ready, in both families; names of their own.
        "db.default.svc, A, 10.244.0.1|10.244.0.2",
        "db.default.svc, AAAA, fd00:244::1|fd00:244::",
        "db-0.db.default.svc, A, 10.244.0.1",
        "db-0.db.default.svc, AAAA, fd00:244::1",
        "10-244-0-2.db.default.svc, A, 10.244.0.2",
        "10-244-0-2.db.default.svc, AAAA, NODATA",
        "fd00-244--0.db.default.svc, AAAA, fd00:244::",
        "db-2.db.default.svc, A, NXDOMAIN",
        "portless.default.svc, A, 10.244.0.32",
        // publishNotReadyAddresses, and without it.
        "waiting.default.svc, A, 10.244.0.30",
        "db-0.waiting.default.svc, A, 10.244.0.30",
        "empty.default.svc, A, NXDOMAIN",
        "_db._tcp.empty.default.svc, SRV, NXDOMAIN",
        // Endpoints of a Service with cluster IPs have names, too.
        "10-244-0-20.backed.other.svc, A, 10.244.0.20",
        // Pods by address.
        "10-1-2-3.default.pod, A, 10.1.2.3",
        "10-1-2-3.default.pod, AAAA, NODATA",
        "fd00--5.default.pod, AAAA, fd00::5",
        "10-1-2-3.nowhere.pod, A, NXDOMAIN",
        "10-1-2.default.pod, A, NXDOMAIN",
        "10-1-2-300.default.pod, A, NXDOMAIN",
        "x.10-1-2-3.default.pod, A, NXDOMAIN",
        // The name server.
        "ns.dns, A, 10.96.0.53",
        "ns.dns, AAAA, fd00:96::53",
        "ns.dns, SRV, NODATA",
        "x.ns.dns, A, NXDOMAIN",
    })
    void addresses(String name, String type, String expected) {
        List<String> wanted = Arrays.stream(expected.split("\\|", -1))
                .map(value -> value.startsWith("N") ? value : name + ".cluster.local. 5 " + type + " " + value)
                .toList();
        assertThat(Answers.of(zone, name + ".cluster.local", type)).containsExactlyInAnyOrderElementsOf(wanted);
    }

    /** Whether a name exists never depends on the type that is asked for. */
    @ParameterizedTest
    @CsvSource({
        "cluster.local, NODATA",
        "svc.cluster.local, NODATA",
        "pod.cluster.local, NODATA",
        "dns.cluster.local, NODATA",
        "default.svc.cluster.local, NODATA",
        "other.svc.cluster.local, NODATA",
        "default.pod.cluster.local, NODATA",
        "_tcp.web.default.svc.cluster.local, NODATA",
        "_udp.db.default.svc.cluster.local, NODATA",
        "_udp.web.default.svc.cluster.local, NXDOMAIN",
        "_tcp.v4.default.svc.cluster.local, NXDOMAIN",
        "nowhere.svc.cluster.local, NXDOMAIN",
        "nowhere.pod.cluster.local, NXDOMAIN",
        "nothing.default.svc.cluster.local, NXDOMAIN",
        "web.nowhere.svc.cluster.local, NXDOMAIN",
        "other.cluster.local, NXDOMAIN",
        "x.dns-version.cluster.local, NXDOMAIN",
        "_nothing._tcp.web.default.svc.cluster.local, NXDOMAIN",
        "_http._udp.web.default.svc.cluster.local, NXDOMAIN",
        "x._http._tcp.web.default.svc.cluster.local, NXDOMAIN",
        "_._tcp.web.default.svc.cluster.local, NXDOMAIN",
        "http._.web.default.svc.cluster.local, NXDOMAIN",
        "_._.db.default.svc.cluster.local, NXDOMAIN",
        "address.default.svc.cluster.local, NXDOMAIN",
        "broken.default.svc.cluster.local, NXDOMAIN",
        // As a pod's search path makes them.
        "www.example.com.default.svc.cluster.local, NXDOMAIN",
        "www.example.com.svc.cluster.local, NXDOMAIN",
        "www.example.com.cluster.local, NXDOMAIN",
    })
    void existence(String name, String expected) {
        for (String type : List.of("A", "AAAA", "TXT", "MX", "SRV", "CNAME", "PTR", "ANY", "HTTPS")) {
            assertThat(Answers.of(zone, name, type)).as(type).containsExactly(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "web.default.svc",
        "db.default.svc",
        "db-0.db.default.svc",
        "_http._tcp.web.default.svc",
        "10-1-2-3.default.pod"
    })
    void otherTypesOfNamesWithAddresses(String name) {
        for (String type : List.of("TXT", "MX", "CNAME", "PTR", "ANY", "HTTPS", "NS", "SOA", "NAPTR")) {
            assertThat(Answers.of(zone, name + ".cluster.local", type)).as(type).containsExactly("NODATA");
        }
    }

    @Test
    void portsOfAServiceWithAddresses() {
        assertThat(Answers.of(zone, "_http._tcp.web.default.svc.cluster.local", "SRV"))
                .containsExactly(
                        "_http._tcp.web.default.svc.cluster.local. 5 SRV 0 50 80 web.default.svc.cluster.local.");
        assertThat(additional("_http._tcp.web.default.svc.cluster.local", "SRV"))
                .containsExactly(
                        "web.default.svc.cluster.local. 5 A 10.96.0.10",
                        "web.default.svc.cluster.local. 5 AAAA fd00:96::10");
        // As CoreDNS: the name of the Service has all ports.
        assertThat(Answers.of(zone, "web.default.svc.cluster.local", "SRV"))
                .containsExactly(
                        "web.default.svc.cluster.local. 5 SRV 0 25 80 web.default.svc.cluster.local.",
                        "web.default.svc.cluster.local. 5 SRV 0 25 443 web.default.svc.cluster.local.");
        assertThat(Answers.of(zone, "_dns._udp.kube-dns.kube-system.svc.cluster.local", "SRV"))
                .containsExactly(
                        "_dns._udp.kube-dns.kube-system.svc.cluster.local. 5 SRV 0 50 53 kube-dns.kube-system.svc.cluster.local.");
    }

    @Test
    void portsOfAHeadlessService() {
        assertThat(Answers.of(zone, "_db._tcp.db.default.svc.cluster.local", "SRV"))
                .containsExactlyInAnyOrder(
                        "_db._tcp.db.default.svc.cluster.local. 5 SRV 0 25 5432 db-0.db.default.svc.cluster.local.",
                        "_db._tcp.db.default.svc.cluster.local. 5 SRV 0 25 5432 10-244-0-2.db.default.svc.cluster.local.",
                        "_db._tcp.db.default.svc.cluster.local. 5 SRV 0 25 5432 fd00-244--0.db.default.svc.cluster.local.");
        assertThat(additional("_gossip._udp.db.default.svc.cluster.local", "SRV"))
                .containsExactlyInAnyOrder(
                        "db-0.db.default.svc.cluster.local. 5 A 10.244.0.1",
                        "10-244-0-2.db.default.svc.cluster.local. 5 A 10.244.0.2");
        assertThat(Answers.of(zone, "portless.default.svc.cluster.local", "SRV"))
                .containsExactly("NODATA");
        assertThat(Answers.of(zone, "db-0.waiting.default.svc.cluster.local", "SRV"))
                .containsExactly(
                        "db-0.waiting.default.svc.cluster.local. 5 SRV 0 100 5432 db-0.waiting.default.svc.cluster.local.");
    }

    @Test
    void externalNames() {
        String name = "outside.default.svc.cluster.local";
        String cname = name + ". 5 CNAME www.example.com.";
        assertThat(Answers.of(zone, name, "CNAME")).containsExactly(cname);
        assertThat(Answers.of(zone, name, "A")).containsExactly(cname, "-> www.example.com.");
        assertThat(Answers.of(zone, name, "AAAA")).containsExactly(cname, "-> www.example.com.");
        for (String type : List.of("SRV", "TXT", "MX")) {
            assertThat(Answers.of(zone, name, type)).containsExactly("NODATA");
        }
        assertThat(Answers.of(zone, "_http._tcp." + name, "SRV")).containsExactly("NXDOMAIN");
        assertThat(Answers.of(zone, "inside.default.svc.cluster.local", "A"))
                .containsExactly(
                        "inside.default.svc.cluster.local. 5 CNAME web.default.svc.cluster.local.",
                        "web.default.svc.cluster.local. 5 A 10.96.0.10");
        assertThat(Answers.of(zone, "chain.default.svc.cluster.local", "A"))
                .containsExactly(
                        "chain.default.svc.cluster.local. 5 CNAME outside.default.svc.cluster.local.",
                        "outside.default.svc.cluster.local. 5 CNAME www.example.com.",
                        "-> www.example.com.");
        assertThat(Answers.of(zone, "loop-a.default.svc.cluster.local", "A")).containsExactly("NODATA");
        assertThat(Answers.of(zone, "astray.default.svc.cluster.local", "A")).containsExactly("NODATA");
    }

    @Test
    void theDomainItself() {
        assertThat(Answers.of(zone, "cluster.local", "SOA")).containsExactly("cluster.local. 5 SOA " + SOA);
        assertThat(Answers.of(zone, "cluster.local", "NS"))
                .containsExactly("cluster.local. 5 NS kube-dns.kube-system.svc.cluster.local.");
        assertThat(additional("cluster.local", "NS"))
                .containsExactly(
                        "kube-dns.kube-system.svc.cluster.local. 5 A 10.96.0.53",
                        "kube-dns.kube-system.svc.cluster.local. 5 AAAA fd00:96::53");
        assertThat(Answers.of(zone, "dns-version.cluster.local", "TXT"))
                .containsExactly("dns-version.cluster.local. 28800 TXT \"1.1.0\"");
        assertThat(Answers.of(zone, "dns-version.cluster.local", "A")).containsExactly("NODATA");
    }

    @Test
    void withoutItsServiceTheServerHasTheAddressesItListensOn() {
        ZoneSettings usual = SampleCluster.settings();
        Zone alone = new Zone(new ZoneSettings(
                usual.domain(), 30, usual.reverse(), usual.server(), List.of(Ip.parse("169.254.20.10")), true));
        alone.apply(SampleCluster.complete(), 1);
        assertThat(Answers.of(alone, "cluster.local", "NS"))
                .containsExactly("cluster.local. 30 NS ns.dns.cluster.local.");
        assertThat(Answers.of(alone, "ns.dns.cluster.local", "A"))
                .containsExactly("ns.dns.cluster.local. 30 A 169.254.20.10");
    }

    @Test
    void namesThatDoNotExistComeWithTheZonesAuthority() {
        for (String name : List.of("nothing.default.svc.CLUSTER.local", "svc.CLUSTER.local")) {
            DnsAnswer answer = known(name, "A");
            assertThat(answer.authoritative()).isTrue();
            assertThat(answer.authority().stream().map(Answers::text)).containsExactly("CLUSTER.local. 5 SOA " + SOA);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.96.10, PTR, web.default.svc",
        "20.0.96.10, PTR, backed.other.svc",
        // Endpoints: of headless Services and others.
        "1.0.244.10, PTR, db-0.db.default.svc",
        "2.0.244.10, PTR, 10-244-0-2.db.default.svc",
        "20.0.244.10, PTR, 10-244-0-20.backed.other.svc",
        "30.0.244.10, PTR, db-0.waiting.default.svc",
        "31.0.244.10, PTR, NXDOMAIN",
        // Names of ours without a record.
        "10.0.96.10, A, NODATA",
        "0.96.10, PTR, NODATA",
        "96.10, PTR, NODATA",
        "97.10, PTR, NODATA",
        "1.97.10, PTR, NXDOMAIN",
        "99.0.96.10, PTR, NXDOMAIN",
        "x.10.0.96.10, PTR, NXDOMAIN",
        "010.0.96.10, PTR, NXDOMAIN",
        // Not ours.
        "10, PTR, NOT OURS",
        "95.10, PTR, NOT OURS",
        "1.2.0.192, PTR, NOT OURS",
        "300.0.0.192, PTR, NOT OURS",
    })
    void reverseNames(String digits, String type, String expected) {
        String name = digits + ".in-addr.arpa";
        String wanted = expected.startsWith("N") ? expected : name + ". 5 PTR " + expected + ".cluster.local.";
        assertThat(Answers.of(zone, name, type)).containsExactly(wanted);
    }

    @Test
    void reverseNamesOfIpv6() {
        String web = ReverseName.of(Ip.parse("fd00:96::10")).toString();
        assertThat(web).isEqualTo("0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.9.0.0.0.0.d.f.ip6.arpa.");
        assertThat(Answers.of(zone, web, "PTR")).containsExactly(web + " 5 PTR web.default.svc.cluster.local.");
        assertThat(Answers.of(zone, web.toUpperCase(Locale.ROOT), "PTR"))
                .containsExactly(web.toUpperCase(Locale.ROOT) + " 5 PTR web.default.svc.cluster.local.");
        assertThat(Answers.of(zone, ReverseName.of(Ip.parse("fd00:96::99")).toString(), "PTR"))
                .containsExactly("NXDOMAIN");
        assertThat(Answers.of(zone, web.substring(2), "PTR")).containsExactly("NODATA");
        // An endpoint beyond the networks of ours.
        String db = ReverseName.of(Ip.parse("fd00:244::1")).toString();
        assertThat(Answers.of(zone, db, "PTR")).containsExactly(db + " 5 PTR db-0.db.default.svc.cluster.local.");
        assertThat(Answers.of(zone, db, "A")).containsExactly("NOT OURS");
        assertThat(Answers.of(zone, "8.b.d.0.1.0.0.2.ip6.arpa", "PTR")).containsExactly("NOT OURS");
    }

    @Test
    void reverseZonesHaveAuthorities() {
        assertThat(Answers.of(zone, "96.10.in-addr.arpa", "SOA")).containsExactly("96.10.in-addr.arpa. 5 SOA " + SOA);
        assertThat(Answers.of(zone, "96.10.in-addr.arpa", "NS"))
                .containsExactly("96.10.in-addr.arpa. 5 NS kube-dns.kube-system.svc.cluster.local.");
        assertThat(known("99.0.96.10.in-addr.arpa", "PTR").authority().stream().map(Answers::text))
                .containsExactly("96.10.in-addr.arpa. 5 SOA " + SOA);
    }

    @Test
    void caseDoesNotCountAndIsKept() {
        assertThat(Answers.of(zone, "wEb.DeFault.SVC.cluster.LOCAL", "A"))
                .containsExactly("wEb.DeFault.SVC.cluster.LOCAL. 5 A 10.96.0.10");
        assertThat(Answers.of(zone, "_HTTP._Tcp.web.default.svc.cluster.local", "SRV"))
                .hasSize(1);
        assertThat(Answers.of(zone, "DB-0.db.default.svc.cluster.local", "A")).hasSize(1);
    }

    @Test
    void severalAddressesTakeTurns() {
        DnsQuestion question = Answers.question("db.default.svc.cluster.local", "A");
        assertThat(List.of(0, 1, 2, 3))
                .map(turn -> first(zone.answer(question, turn)))
                .containsExactly("10.244.0.1", "10.244.0.2", "10.244.0.1", "10.244.0.2");
    }

    private static String first(ZoneAnswer answer) {
        return Answers.text(((ZoneAnswer.Known) answer).answer()).getFirst().replaceFirst(".* ", "");
    }

    /** No message holds more: the rest would be made for nothing, with every question. */
    @Test
    void aHugeServiceIsAnsweredWithAsMuchAsAMessageHolds() {
        List<DnsEndpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            endpoints.add(new DnsEndpoint(
                    Ip.parse("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)), Optional.empty(), true));
        }
        ServiceName name = new ServiceName("default", "huge");
        DnsService huge = new DnsService(
                name,
                new DnsService.Kind.Headless(),
                List.of(),
                false,
                List.of(new DnsEndpoints(List.of(port("db", 5432)), endpoints)));
        zone.apply(new ZoneChange(false, Map.of(name, Optional.of(huge))), SampleCluster.SERIAL);
        Set<String> first = new HashSet<>();
        for (int id = 0; id < 1_000; id++) {
            ZoneAnswer answer = zone.answer(Answers.question("huge.default.svc.cluster.local", "A"), id);
            List<DnsRecord> records = ((ZoneAnswer.Known) answer).answer().answers();
            // 16 bytes each.
            assertThat(records).hasSize(4_096);
            assertThat(Set.copyOf(records)).hasSize(4_096);
            first.add(records.getFirst().toString());
        }
        assertThat(first).as("each time another").hasSize(1_000);
        ZoneAnswer services = zone.answer(Answers.question("_db._tcp.huge.default.svc.cluster.local", "SRV"), 1);
        assertThat(((ZoneAnswer.Known) services).answer().answers()).hasSizeBetween(1_000, 4_096);
        assertThat(((ZoneAnswer.Known) services).answer().additional()).hasSizeBetween(1_000, 4_096);
    }

    @Test
    void otherNamesAreNotOurs() {
        for (String name : List.of("example.com", "local", ".", "cluster.local.example.com", "xcluster.local")) {
            assertThat(Answers.of(zone, name, "A")).containsExactly("NOT OURS");
        }
    }

    @Test
    void notReadyBeforeServicesAreSynced() {
        Zone fresh = new Zone(SampleCluster.settings());
        for (int i = 0; i < 2; i++) {
            assertThat(Answers.of(fresh, "web.default.svc.cluster.local", "A")).containsExactly("NOT READY");
            assertThat(Answers.of(fresh, "10.0.96.10.in-addr.arpa", "PTR")).containsExactly("NOT READY");
            assertThat(Answers.of(fresh, "example.com", "A")).containsExactly("NOT OURS");
            fresh.apply(
                    SampleCluster.change(false, clusterIp("default", "web", List.of("10.96.0.10"), port("", 80))), 1);
        }
        fresh.apply(SampleCluster.change(), 2);
        assertThat(Answers.of(fresh, "web.default.svc.cluster.local", "A")).hasSize(1);
    }

    @Test
    void changesReplaceAndRemove() {
        ServiceName name = new ServiceName("default", "web");
        zone.apply(SampleCluster.change(false, clusterIp("default", "web", List.of("10.96.0.99"), port("", 80))), 7);
        assertThat(Answers.of(zone, "web.default.svc.cluster.local", "A"))
                .hasSize(1)
                .first()
                .asString()
                .endsWith("10.96.0.99");
        assertThat(Answers.of(zone, "10.0.96.10.in-addr.arpa", "PTR")).containsExactly("NXDOMAIN");
        assertThat(Answers.of(zone, "99.0.96.10.in-addr.arpa", "PTR"))
                .hasSize(1)
                .first()
                .asString()
                .contains("web");
        assertThat(Answers.of(zone, "cluster.local", "SOA").getFirst()).contains(" 7 7200 ");

        zone.apply(new ZoneChange(false, Map.of(name, Optional.empty())), 8);
        assertThat(Answers.of(zone, "web.default.svc.cluster.local", "A")).containsExactly("NXDOMAIN");
        assertThat(Answers.of(zone, "99.0.96.10.in-addr.arpa", "PTR")).containsExactly("NXDOMAIN");

        zone.apply(SampleCluster.complete(clusterIp("lonely", "web", List.of("10.96.0.1"), port("", 80))), 9);
        assertThat(zone.size()).isEqualTo(1);
        assertThat(Answers.of(zone, "default.svc.cluster.local", "A")).containsExactly("NXDOMAIN");
        assertThat(Answers.of(zone, "lonely.svc.cluster.local", "A")).containsExactly("NODATA");
        assertThat(Answers.of(zone, "1.0.244.10.in-addr.arpa", "PTR")).containsExactly("NXDOMAIN");
    }

    @Test
    void namesThatWouldBeTooLongAreLeftOut() {
        String label = "x".repeat(63);
        DnsName deep = DnsName.parse(label + "." + label + ".local");
        Zone zone = new Zone(ZoneSettings.defaults(deep, List.of()));
        zone.apply(SampleCluster.complete(clusterIp(label, label, List.of("10.96.0.1"), port("http", 80))), 1);
        assertThat(Answers.of(zone, "1.0.96.10.in-addr.arpa", "PTR")).containsExactly("NOT OURS");
        assertThat(Answers.of(zone, deep.toString(), "SOA")).hasSize(1);
    }

    private DnsAnswer known(String name, String type) {
        return ((ZoneAnswer.Known) zone.answer(Answers.question(name, type), 0)).answer();
    }

    private List<String> additional(String name, String type) {
        return known(name, type).additional().stream().map(Answers::text).toList();
    }
}
