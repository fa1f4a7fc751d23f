package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From one mode to the other and back, while clients connect all the time. */
final class ModeSwitchTest {
    private static final int PATIENCE = 60_000;

    @TempDir
    private Path folder;

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<Thread> clients = new ArrayList<>();
    private final List<ServerSocketChannel> servers = new ArrayList<>();
    private volatile boolean stop;
    private HostUnderTest host;

    @BeforeEach
    void prepare() throws Exception {
        host = HostUnderTest.in(folder);
        host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
        try (RouteClient routes = RouteClient.open(host.ns())) {
            routes.change("lo", new LinkChange.Up());
            int lo = routes.indexOf("lo");
            for (int i = 1; i <= 2; i++) {
                routes.add(Address.of(lo, Ip.parse("10.244.0." + i), 32));
                routes.add(Address.of(lo, Ip.parse("fd00:10:244::" + i), 128));
            }
            // Somewhere to route ClusterIPs to before they are translated.
            host.witness().run("ip", "route", "add", "default", "dev", "lo");
            host.witness().run("ip", "-6", "route", "add", "default", "dev", "lo");
        }
        for (String ip : List.of("10.244.0.1", "10.244.0.2", "fd00:10:244::1", "fd00:10:244::2")) {
            serve(ip);
        }
    }

    @AfterEach
    void end() throws Exception {
        stop = true;
        for (Thread client : clients) {
            client.join();
        }
        for (ServerSocketChannel server : servers) {
            server.close();
        }
        host.close();
    }

    private static StandardProtocolFamily family(String ip) {
        return ip.contains(":") ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }

    private void serve(String ip) throws Exception {
        ServerSocketChannel server =
                host.ns().call(() -> ServerSocketChannel.open(family(ip)).bind(new InetSocketAddress(ip, 8080), 1_000));
        servers.add(server);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    server.accept().close();
                }
            } catch (ClosedChannelException e) {
                // the end
            } catch (java.io.IOException e) {
                failures.add("server: " + e);
            }
        });
    }

    private void connectAllTheTime(String ip) {
        clients.add(Thread.ofPlatform().start(() -> {
            while (!stop) {
                try (SocketChannel channel = host.ns().call(() -> SocketChannel.open(family(ip)))) {
                    channel.socket().connect(new InetSocketAddress(ip, 80), PATIENCE);
                    connections.incrementAndGet();
                } catch (Exception e) {
                    failures.add(ip + " at " + java.time.Instant.now() + ": " + e);
                }
            }
        }));
    }

    private RunningDaemon start(String mode) throws Exception {
        RunningDaemon daemon = host.start("--proxy-mode", mode);
        daemon.awaitInForce();
        return daemon;
    }

    private String rules() throws Exception {
        return host.witness().ruleset();
    }

    private List<String> chainsOfKubernetes() throws Exception {
        return (host.witness().saved("iptables-save") + host.witness().saved("ip6tables-save"))
                .lines()
                .filter(line -> line.contains("KUBE-"))
                .toList();
    }

    @Test
    void noConnectionIsLost() throws Exception {
        RunningDaemon first = start("iptables");
        connectAllTheTime(Manifests.ip4(1));
        connectAllTheTime(Manifests.ip6(1));
        assertThat(rules()).contains("KUBE-SVC-").doesNotContain("dualstackd");
        host.witness().run("nft", "add table ip kube-proxy; add table ip6 kube-proxy; add table inet kube-proxy");
        first.terminate();

        RunningDaemon second = start("nftables");
        second.awaitLines("removed chains=", 2);
        second.awaitLines("removed table=", 2);
        assertThat(rules())
                .contains("table ip dualstackd", "table ip6 dualstackd", "table inet kube-proxy")
                .doesNotContain("KUBE-SVC-", "table ip kube-proxy", "table ip6 kube-proxy");
        assertThat(chainsOfKubernetes()).allMatch(line -> line.contains("KUBE-FIREWALL"));
        second.kill();

        RunningDaemon third = host.start("--proxy-mode", "iptables", "--iptables-variant", "legacy");
        third.awaitInForce();
        third.awaitLines("removed table=", 2);
        assertThat(rules()).doesNotContain("KUBE-SVC-", "dualstackd");
        assertThat(host.witness().saved("iptables-legacy-save")).contains("KUBE-SVC-");
        assertThat(host.witness().saved("ip6tables-legacy-save")).contains("KUBE-SVC-");
        assertThat(host.run("status", "--admin-socket", host.socket().toString())
                        .out())
                .contains("iptables (legacy)");
        third.terminate();

        RunningDaemon fourth = host.start("--proxy-mode", "iptables", "--iptables-variant", "nf_tables");
        fourth.awaitInForce();
        fourth.awaitLines("removed chains=", 2);
        assertThat(rules()).contains("KUBE-SVC-");
        assertThat(host.witness().saved("iptables-legacy-save")).doesNotContain("KUBE-SVC-");
        assertThat(host.witness().saved("ip6tables-legacy-save")).doesNotContain("KUBE-SVC-");
        fourth.terminate();

        stop = true;
        for (Thread client : clients) {
            client.join();
        }
        assertThat(failures).isEmpty();
        assertThat(connections.get()).isGreaterThan(100);
    }

    @Test
    void cleanupTakesEverythingOfEveryMode() throws Exception {
        start("nftables").terminate();
        host.witness().run("nft", "add table ip kube-proxy; add table ip6 kube-proxy; add table ip other");
        host.witness().run("iptables", "-t", "nat", "-N", "KUBE-SERVICES");
        host.witness().run("iptables-legacy", "-t", "nat", "-N", "KUBE-SERVICES");
        host.witness().run("iptables-legacy", "-t", "nat", "-N", "THEIRS");
        host.witness().run("ip", "link", "add", "kube-ipvs0", "type", "bridge");
        HostUnderTest.Ended cleanup = host.run("cleanup");
        assertThat(cleanup.exitCode()).isZero();
        assertThat(cleanup.out())
                .contains(
                        "IPv4: removed 1 chains and 0 jumps",
                        "IPv4: removed 1 chains of iptables legacy",
                        "IPv4: removed table ip dualstackd",
                        "IPv6: removed table ip6 kube-proxy",
                        "removed link kube-ipvs0");
        assertThat(rules()).doesNotContain("dualstackd", "kube-proxy").contains("table ip other");
        assertThat(chainsOfKubernetes()).isEmpty();
        assertThat(host.witness().saved("iptables-legacy-save"))
                .contains(":THEIRS")
                .doesNotContain("KUBE-");
        assertThat(host.witness().run("ip", "link")).doesNotContain("kube-ipvs0");
    }
}
