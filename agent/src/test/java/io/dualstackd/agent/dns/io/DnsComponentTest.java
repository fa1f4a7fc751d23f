package io.dualstackd.agent.dns.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.admin.DnsReport;
import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.agent.dns.KubeDnsService;
import io.dualstackd.dns.io.TestClient;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.OwnAddresses;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.io.HostReader;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
final class DnsComponentTest {
    private static final DnsSettings SETTINGS = settings(new IpPort(Ip.parse("127.0.0.1"), 53));

    private static DnsSettings settings(IpPort... addresses) {
        return new DnsSettings(
                Stream.of(addresses)
                        .<DnsSettings.Listen>map(DnsSettings.Listen.Address::new)
                        .toList(),
                DnsName.parse("cluster.local"),
                new DnsSettings.Upstream.None(),
                List.of(),
                List.of(),
                Duration.ofSeconds(30));
    }

    /** It is tried again; that the thread which is not there yet is silent must not end the process. */
    @Test
    void aServerThatCannotBeOpenedIsNotSilent() throws Exception {
        List<String> ended = new CopyOnWriteArrayList<>();
        NetNs closed = NetNs.current();
        closed.close();
        DnsComponent.Node node =
                new DnsComponent.Node("n1", closed, List::of, List::of, _ -> true, List::of, List.of(), () -> false);
        try (Supervisor supervisor = new Supervisor(
                (why, cause) -> ended.add(why),
                component -> switch (component) {
                    case DNS, UI, SUPERVISOR -> Duration.ofMillis(100);
                    default -> Duration.ofHours(1);
                },
                System::nanoTime)) {
            supervisor.start();
            try (DnsComponent ignored = DnsComponent.start(SETTINGS, node, new Store(), supervisor);
                    // Checked after it, and overdue at the same time.
                    Supervisor.Row silent = supervisor.heartbeat(Component.UI)) {
                await().until(() -> ended.stream().anyMatch(why -> why.startsWith("component " + Component.UI)));
                assertThat(ended).noneMatch(why -> why.startsWith("component " + Component.DNS + " "));
                assertThat(silent.longestWait()).isPositive();
            }
        }
    }

    /** As a virtual IP of keepalived moves between hosts, which lets programs listen on it before; the kernel keeps the sockets. */
    @Test
    void anAddressThatTheNodeLosesIsMissingUntilTheNodeHasItAgain() throws Exception {
        Ip four = Ip.parse("192.0.2.10");
        Ip six = Ip.parse("2001:db8::10");
        try (NetNs ns = FreshNetNs.create();
                Supervisor supervisor = Supervisor.none()) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("ip", "link", "set", "lo", "up");
            commands.run("ip", "link", "add", "wire", "type", "veth", "peer", "name", "other");
            commands.run("ip", "link", "set", "other", "up");
            commands.run("ip", "link", "set", "wire", "up");
            commands.run("sysctl", "-qw", "net.ipv4.ip_nonlocal_bind=1", "net.ipv6.ip_nonlocal_bind=1");
            DnsComponent.Node node = new DnsComponent.Node(
                    "n1",
                    ns,
                    List::of,
                    () -> List.of(four, six),
                    ip -> OwnAddresses.has(host(ns), ip),
                    List::of,
                    List.of(),
                    () -> true);
            Store store = new Store();
            store.markSynced();
            try (DnsComponent dns =
                    DnsComponent.start(settings(new IpPort(four, 53), new IpPort(six, 53)), node, store, supervisor)) {
                await().untilAsserted(
                                () -> assertThat(missing(dns)).containsExactly("192.0.2.10:53", "[2001:db8::10]:53"));
                assertThat(endpoints(store)).isEmpty();
                for (int times = 1; times <= 2; times++) {
                    commands.run("ip", "address", "add", "192.0.2.10/24", "dev", "wire");
                    commands.run("ip", "address", "add", "2001:db8::10/64", "dev", "wire", "nodad");
                    dns.wakeUp();
                    await().untilAsserted(() -> assertThat(missing(dns)).isEmpty());
                    await().untilAsserted(() -> assertThat(endpoints(store)).containsExactlyInAnyOrder(four, six));
                    for (Ip ip : List.of(four, six)) {
                        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), 53);
                        assertThat(ns.call(() -> TestClient.udp(address, "cluster.local.", "SOA"))
                                        .code())
                                .isEqualTo("NoError");
                    }
                    commands.run("ip", "address", "del", "192.0.2.10/24", "dev", "wire");
                    dns.wakeUp();
                    await().untilAsserted(() -> assertThat(endpoints(store)).containsExactly(six));
                    assertThat(missing(dns)).containsExactly("192.0.2.10:53");
                    assertThat(dns.report().listeners().getFirst().error().orElseThrow())
                            .startsWith("no interface of this node has the address");
                    commands.run("ip", "address", "del", "2001:db8::10/64", "dev", "wire");
                    dns.wakeUp();
                    await().untilAsserted(() -> assertThat(endpoints(store)).isEmpty());
                }
            }
        }
    }

    /** The kernel delivers all of 127.0.0.0/8 and of any other network on {@code lo}. */
    @Test
    void aNetworkOnTheLoopbackInterfaceIsTheNodesOwn() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("ip", "link", "set", "lo", "up");
            commands.run("ip", "address", "add", "169.254.20.1/24", "dev", "lo");
            assertThat(Stream.of("127.0.0.53", "169.254.20.10", "::1", "169.254.21.1", "::2")
                            .filter(ip -> OwnAddresses.has(host(ns), Ip.parse(ip))))
                    .containsExactly("127.0.0.53", "169.254.20.10", "::1");
        }
    }

    /** Which of the others were applied before the one that fails depends on chance. */
    @Test
    void aChangeThatFailsIsMadeUpFor() throws Exception {
        AtomicInteger turns = new AtomicInteger();
        DnsComponent.Node node =
                new DnsComponent.Node("n1", NetNs.current(), List::of, List::of, _ -> true, List::of, List.of(), () -> {
                    turns.incrementAndGet();
                    return false;
                });
        Store store = new Store();
        store.markSynced();
        try (Supervisor supervisor = Supervisor.none();
                DnsComponent dns = DnsComponent.start(settings(), node, store, supervisor)) {
            await().untilAsserted(() -> assertThat(services(dns)).isZero());
            List<Update> updates = new ArrayList<>();
            updates.add(new Update.Put(unfit()));
            for (int i = 1; i <= 100; i++) {
                String text = """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: s%1$d}
                        spec: {clusterIP: 10.96.0.%1$d, ports: [{port: 80}]}
                        """.formatted(i);
                Manifests.decode("s.yaml", text).objects().forEach(each -> updates.add(new Update.Put(each.object())));
            }
            int before = turns.get();
            store.apply(updates);
            await().untilAsserted(() -> assertThat(turns).hasValueGreaterThan(before));
            // Asked on the thread of the change, behind it.
            var _ = services(dns);
            store.apply(List.of(new Update.Gone(unfit().key())));
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(services(dns)).isEqualTo(100));
        }
    }

    /** A Service of which the DNS server makes no names but an exception: no decoder makes it. */
    @SuppressWarnings("NullAway")
    private static Service unfit() {
        return Service.builder("default", "unfit")
                .type(Service.Type.EXTERNAL_NAME)
                .externalName(null)
                .build();
    }

    private static int services(DnsComponent dns) {
        return dns.report().figures().orElseThrow().services();
    }

    private static Host host(NetNs ns) {
        try {
            return HostReader.read(ns);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> missing(DnsComponent dns) {
        return dns.report().listeners().stream()
                .filter(listener -> listener.error().isPresent())
                .map(DnsReport.Listener::address)
                .toList();
    }

    private static List<Ip> endpoints(Store store) {
        return store.service(KubeDnsService.KEY).slices().stream()
                .flatMap(slice -> slice.endpoints().stream())
                .map(EndpointSlice.Endpoint::address)
                .toList();
    }
}
