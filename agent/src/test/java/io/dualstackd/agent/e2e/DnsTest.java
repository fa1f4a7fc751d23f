package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.io.TestClient;
import io.dualstackd.dns.io.TestResolver;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsQuery;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.netlink.ip.Ip;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pod asks the Service {@code kube-system/kube-dns} of a whole daemon, in both families and over both protocols. */
@Tag("kernel")
final class DnsTest {
    private static final String D = ".svc.cluster.local";

    private static final String SERVICES = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: lab}
            spec:
              clusterIP: 172.30.0.20
              clusterIPs: [172.30.0.20, "fd00:172::20"]
              ipFamilyPolicy: RequireDualStack
              ports: [{name: http, port: 80}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: waiting, namespace: lab}
            spec: {clusterIP: None, publishNotReadyAddresses: true, ipFamilies: [IPv4], ports: [{name: db, port: 5432}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: outside, namespace: lab}
            spec: {type: ExternalName, externalName: www.example.com}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: waiting-1, namespace: lab, labels: {kubernetes.io/service-name: waiting}}
            addressType: IPv4
            ports: [{name: db, port: 5432}]
            endpoints: [{addresses: [10.0.1.9], hostname: db-9, conditions: {ready: false}}]
            """;

    @TempDir
    private Path folder;

    private @Nullable NodeUnderTest started;

    private void start(ProxyMode mode) throws Exception {
        Files.writeString(resolvConf(), "nameserver " + LabMap.V4.router() + "\n");
        started = NodeUnderTest.start(folder, mode, arguments());
        node().host().put("services.yaml", SERVICES);
        node().host().put("db.yaml", db(false));
    }

    @AfterEach
    void end() throws Exception {
        if (started != null) {
            started.close();
        }
    }

    private NodeUnderTest node() {
        return Objects.requireNonNull(started);
    }

    private Path resolvConf() {
        return folder.resolve("resolv.conf");
    }

    private String[] arguments() {
        return new String[] {
            "--service-cluster-ip-range",
            "172.30.0.0/24,fd00:172::/112",
            "--node-ips",
            LabMap.V4.node() + "," + LabMap.V6.node(),
            "--dns-listen",
            "node",
            "--dns-upstream",
            resolvConf().toString()
        };
    }

    /** A headless Service with two endpoints in each family. */
    private static String db(boolean second) {
        StringBuilder text = new StringBuilder("""
                apiVersion: v1
                kind: Service
                metadata: {name: db, namespace: lab}
                spec: {clusterIP: None, ipFamilyPolicy: RequireDualStack, ports: [{name: db, port: 5432}]}
                """);
        for (LabMap map : LabMap.values()) {
            text.append("""
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: db-%s, namespace: lab, labels: {kubernetes.io/service-name: db}}
                    addressType: %s
                    ports: [{name: db, port: 5432}]
                    endpoints:
                    - {addresses: ["%s"], hostname: db-0}
                    - {addresses: ["%s"], hostname: db-1, conditions: {ready: %b}}
                    """.formatted(
                            map.family().toString().toLowerCase(java.util.Locale.ROOT),
                            map.family(),
                            map.localPod(1),
                            map.localPod(2),
                            second));
        }
        return text.toString();
    }

    private static InetSocketAddress dns(LabMap map) throws Exception {
        Ip ip = Ip.parse(map == LabMap.V4 ? "172.30.0.10" : "fd00:172::a");
        return new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), 53);
    }

    private NettyCodec.Read ask(LabMap map, boolean tcp, String name, String type) throws Exception {
        return node().lab()
                .hostOf(Sender.POD)
                .ns()
                .call(() -> tcp ? TestClient.tcp(dns(map), name, type) : TestClient.udp(dns(map), name, type));
    }

    /** The answers in either family and over either protocol, which are the same: records without owner and TTL, or the code. */
    private List<String> ask(String name, String type) throws Exception {
        List<List<String>> all = new ArrayList<>();
        for (LabMap map : LabMap.values()) {
            for (boolean tcp : new boolean[] {false, true}) {
                NettyCodec.Read read = ask(map, tcp, name, type);
                List<String> records = read.answers().stream()
                        .map(record -> record.split(" ", 3)[2])
                        .sorted()
                        .toList();
                all.add(read.code().equals("NoError") ? records : List.of(read.code()));
            }
        }
        assertThat(all).allMatch(all.getFirst()::equals);
        return all.getFirst();
    }

    private void awaitAnswer(String name, String type, String... expected) {
        eventually().untilAsserted(() -> assertThat(ask(name, type)).containsExactly(expected));
    }

    private String status() throws Exception {
        return node().host()
                .run("status", "--admin-socket", node().host().socket().toString())
                .out();
    }

    private static DnsAnswer elsewhere(DnsQuery query) {
        List<DnsRecord> records = query.question().type().equals(DnsRecordType.A)
                ? List.of(DnsRecord.address(query.question().name(), 60, Ip.parse("198.51.100.7")))
                : List.of();
        return new DnsAnswer(DnsResponseCode.NOERROR, false, false, records, List.of(), List.of());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void podsAskItsServiceAboutEveryKindOfName(ProxyMode mode) throws Exception {
        start(mode);
        // The last of the manifests.
        awaitAnswer("db-0.db.lab" + D, "A", "A " + LabMap.V4.localPod(1));
        awaitAnswer("web.lab" + D, "A", "A 172.30.0.20");
        assertThat(ask("web.lab" + D, "AAAA")).containsExactly("AAAA fd00:172::20");
        assertThat(ask("web.lab" + D, "MX")).isEmpty();
        assertThat(ask("_http._tcp.web.lab" + D, "SRV")).containsExactly("SRV 0 50 80 web.lab" + D + ".");
        assertThat(ask("20.0.30.172.in-addr.arpa", "PTR")).containsExactly("PTR web.lab" + D + ".");
        assertThat(ask("0.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.2.7.1.0.0.0.d.f.ip6.arpa", "PTR"))
                .containsExactly("PTR web.lab" + D + ".");
        assertThat(ask("db.lab" + D, "A")).containsExactly("A " + LabMap.V4.localPod(1));
        assertThat(ask("db.lab" + D, "AAAA")).containsExactly("AAAA " + LabMap.V6.localPod(1));
        assertThat(ask("_db._tcp.db.lab" + D, "SRV")).containsExactly("SRV 0 50 5432 db-0.db.lab" + D + ".");
        assertThat(ask("db-1.db.lab" + D, "A")).containsExactly("NXDomain");
        assertThat(ask("waiting.lab" + D, "A")).containsExactly("A 10.0.1.9");
        assertThat(ask("db-9.waiting.lab" + D, "A")).containsExactly("A 10.0.1.9");
        assertThat(ask("nothing.lab" + D, "A")).containsExactly("NXDomain");
        assertThat(ask("outside.lab" + D, "CNAME")).containsExactly("CNAME www.example.com.");
        assertThat(ask("kube-dns.kube-system" + D, "A")).containsExactly("A 172.30.0.10");
        assertThat(ask("kube-dns.kube-system" + D, "AAAA")).containsExactly("AAAA fd00:172::a");
        for (LabMap map : LabMap.values()) {
            for (String name : List.of("web.lab" + D, "WEB.Lab" + D)) {
                assertThat(node().lab()
                                .node()
                                .call(() -> TestClient.udp(dns(map), name, "A"))
                                .answers())
                        .as("the node itself")
                        .containsExactly(name + ". 5 A 172.30.0.20");
            }
        }
        assertThat(ask("cluster.local", "NS")).containsExactly("NS kube-dns.kube-system" + D + ".");
        assertThat(status())
                .contains("dns        cluster.local on " + LabMap.V4.node() + ":10053, [" + LabMap.V6.node()
                        + "]:10053; pods ask 172.30.0.10, fd00:172::a");

        node().host().put("db.yaml", db(true));
        awaitAnswer("db.lab" + D, "A", "A " + LabMap.V4.localPod(1), "A " + LabMap.V4.localPod(2));
        assertThat(ask("db-1.db.lab" + D, "AAAA")).containsExactly("AAAA " + LabMap.V6.localPod(2));
        node().host().delete("db.yaml");
        awaitAnswer("db.lab" + D, "A", "NXDomain");

        forwardsOtherNames();
        strangersAreNotAnswered();
    }

    private void forwardsOtherNames() throws Exception {
        // Nothing listens on the resolver's port.
        assertThat(ask("www.example.com", "A")).containsExactly("ServFail");
        assertThat(ask("web.lab" + D, "A")).containsExactly("A 172.30.0.20");
        String silent = "none of the resolvers for other names answers: " + LabMap.V4.router() + ":53";
        assertThat(status()).contains("DEGRADED").contains(silent);
        TestResolver resolver = node().lab()
                .hostOf(Sender.CLIENT)
                .ns()
                .call(() -> TestResolver.on(LabMap.V4.router().toString(), DnsTest::elsewhere));
        try {
            assertThat(ask("www.example.com", "A")).containsExactly("A 198.51.100.7");
            assertThat(ask("outside.lab" + D, "A")).containsExactly("A 198.51.100.7", "CNAME www.example.com.");
            assertThat(status()).doesNotContain(silent);
        } finally {
            resolver.close();
        }
        Files.writeString(resolvConf(), "");
        eventually().untilAsserted(() -> assertThat(ask("a.example.com", "A")).containsExactly("Refused"));
        assertThat(status()).contains("names no resolver");
    }

    private void strangersAreNotAnswered() throws Exception {
        InetSocketAddress open =
                new InetSocketAddress(InetAddress.getByAddress(LabMap.V4.node().toBytes()), 10053);
        assertThat(status()).contains(" 0 of clients that are not answered");
        byte[] query = NettyCodec.query(1, "web.lab" + D, "A", 0);
        var _ = node().lab().hostOf(Sender.CLIENT).ns().call(() -> {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.connect(open);
                TestClient.send(socket, query);
                return "";
            }
        });
        eventually().untilAsserted(() -> assertThat(status()).contains(" 1 of clients that are not answered"));
    }

    @Test
    void aRestartChangesNothing() throws Exception {
        start(ProxyMode.NFTABLES);
        awaitAnswer("web.lab" + D, "A", "A 172.30.0.20");
        awaitAnswer("db-0.db.lab" + D, "A", "A " + LabMap.V4.localPod(1));
        int generation = node().host().generation();
        node().restart();
        assertThat(ask("web.lab" + D, "AAAA")).containsExactly("AAAA fd00:172::20");
        assertThat(node().host().generation()).isEqualTo(generation);

        // Without DNS its Service goes, and its addresses are free.
        List<String> without = new ArrayList<>(List.of(arguments()));
        without.subList(4, 8).clear();
        node().restartWith(without.toArray(String[]::new));
        assertThat(node().host()
                        .run(
                                "get",
                                "services",
                                "-A",
                                "--admin-socket",
                                node().host().socket().toString())
                        .out())
                .contains("web")
                .doesNotContain("kube-dns");
    }

    /** As Services are written, too, where no ledger has the whole object. */
    @Test
    void itsOwnObjectsArePrinted() throws Exception {
        Files.writeString(resolvConf(), "nameserver " + LabMap.V4.router() + "\n");
        List<String> as = new ArrayList<>(List.of(arguments()));
        as.set(0, "--dns-cluster-ips");
        as.set(1, "172.30.0.10,fd00:172::a");
        started = NodeUnderTest.start(folder, ProxyMode.NFTABLES, as.toArray(String[]::new));
        node().host().put("services.yaml", SERVICES);
        awaitAnswer("web.lab" + D, "A", "A 172.30.0.20");
        String socket = node().host().socket().toString();
        for (String kind : List.of("svc", "eps", "ep")) {
            assertThat(node().host()
                            .run("get", kind, "-A", "-o", "yaml", "--admin-socket", socket)
                            .out())
                    .as(kind)
                    .contains("kube-dns", "waiting");
        }
    }

    /** As when what {@code get} prints is applied: the Service is that of the manifests then, and its endpoints are, too. */
    @Test
    void reportsThatTheServiceOfTheManifestsHasNoEndpoint() throws Exception {
        start(ProxyMode.NFTABLES);
        awaitAnswer("web.lab" + D, "A", "A 172.30.0.20");
        String own = node().host()
                .run(
                        "get",
                        "svc/kube-dns",
                        "-n",
                        "kube-system",
                        "-o",
                        "yaml",
                        "--admin-socket",
                        node().host().socket().toString())
                .out();
        node().host().put("kube-dns.yaml", own);
        String note =
                "pods get no answer at 172.30.0.10, fd00:172::a: the manifests have a Service kube-system/kube-dns";
        eventually()
                .untilAsserted(() -> assertThat(status()).contains("DEGRADED").contains(note));
        node().host().put("kube-dns-slice.yaml", """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: kube-dns-1, namespace: kube-system, labels: {kubernetes.io/service-name: kube-dns}}
                addressType: IPv4
                ports: [{name: dns, port: 10053, protocol: UDP}]
                endpoints: [{addresses: ["%s"]}]
                """.formatted(LabMap.V4.node()));
        eventually().untilAsserted(() -> assertThat(status()).doesNotContain(note));
        node().host().delete("kube-dns-slice.yaml");
        eventually().untilAsserted(() -> assertThat(status()).contains(note));
        node().host().delete("kube-dns.yaml");
        eventually()
                .ignoreExceptionsInstanceOf(SocketException.class)
                .untilAsserted(() -> assertThat(ask("web.lab" + D, "A")).containsExactly("A 172.30.0.20"));
        eventually().untilAsserted(() -> assertThat(status()).doesNotContain(note));
    }

    @Test
    void reportsAndRetriesMissingAddress() throws Exception {
        start(ProxyMode.NFTABLES);
        List<String> more = new ArrayList<>(List.of(arguments()));
        more.set(5, "node,169.254.20.10");
        node().restartWith(more.toArray(String[]::new));
        String reason = "no interface of this node has the address; add it, for example by 'ip address add"
                + " 169.254.20.10/32 dev lo'";
        node().daemon().awaitLines("DNS not open address=169.254.20.10:53 reason=\"" + reason, 1);
        assertThat(status())
                .contains("DEGRADED")
                .contains("DNS questions are not received on 169.254.20.10:53: " + reason);
        // The others answer meanwhile.
        awaitAnswer("web.lab" + D, "A", "A 172.30.0.20");
        node().host().commands().run("ip", "address", "add", "169.254.20.10/32", "dev", "lo");
        node().daemon().awaitLines("DNS open address=169.254.20.10:53", 1);
        InetSocketAddress linkLocal = new InetSocketAddress(
                InetAddress.getByAddress(Ip.parse("169.254.20.10").toBytes()), 53);
        NettyCodec.Read read =
                node().lab().hostOf(Sender.POD).ns().call(() -> TestClient.udp(linkLocal, "web.lab" + D, "A"));
        assertThat(read.answers()).singleElement().asString().endsWith("A 172.30.0.20");
        // It is no endpoint: others could not reach it.
        assertThat(node().host()
                        .run(
                                "get",
                                "endpointslices",
                                "-n",
                                "kube-system",
                                "--admin-socket",
                                node().host().socket().toString())
                        .out())
                .contains(LabMap.V4.node().toString())
                .doesNotContain("169.254.20.10");
    }
}
