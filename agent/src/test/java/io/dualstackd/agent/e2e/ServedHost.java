package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A host with a dual-stack Service {@code e2e/web}, two endpoints that answer in each family, and clients that connect to it without pause. */
final class ServedHost implements AutoCloseable {
    private static final int TIMEOUT = 60_000;
    private static final int BACKLOG = 1_000;

    /** So many connections of each client make a statement about a moment. */
    private static final int SOME = 5;

    private final HostUnderTest host;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<AtomicInteger> connections = new ArrayList<>();
    private final List<Thread> clients = new ArrayList<>();
    private final List<ServerSocketChannel> servers = new ArrayList<>();
    private volatile boolean stop;

    private ServedHost(HostUnderTest host) {
        this.host = host;
    }

    static ServedHost in(Path folder) throws Exception {
        ServedHost served = new ServedHost(HostUnderTest.in(folder));
        HostUnderTest host = served.host;
        host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
        try (RouteClient routes = RouteClient.open(host.ns())) {
            routes.change("lo", new LinkChange.Up());
            int lo = routes.indexOf("lo");
            for (int i = 1; i <= 2; i++) {
                routes.add(Address.of(lo, Ip.parse("10.244.0." + i), 32));
                routes.add(Address.of(lo, Ip.parse("fd00:10:244::" + i), 128));
            }
            // Somewhere to route ClusterIPs to before they are translated.
            host.commands().run("ip", "route", "add", "default", "dev", "lo");
            host.commands().run("ip", "-6", "route", "add", "default", "dev", "lo");
        }
        // A packet that no rule has translated is refused at once, instead of being sent again when there are rules.
        host.commands().feed("""
                table inet untranslated {
                    chain output {
                        type filter hook output priority 10;
                        ip daddr 10.96.0.0/16 meta l4proto tcp reject with tcp reset
                        ip6 daddr fd00:10:96::/112 meta l4proto tcp reject with tcp reset
                    }
                }
                """, "nft", "-f", "-");
        for (String ip : List.of("10.244.0.1", "10.244.0.2", "fd00:10:244::1", "fd00:10:244::2")) {
            served.serve(ip);
        }
        return served;
    }

    /** The rules of nf_tables without what the kernel counts. */
    String rules() throws Exception {
        return host.commands().run("nft", "--stateless", "list", "ruleset");
    }

    HostUnderTest host() {
        return host;
    }

    private static StandardProtocolFamily family(String ip) {
        return ip.contains(":") ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }

    private void serve(String ip) throws Exception {
        ServerSocketChannel server = host.ns()
                .call(() -> ServerSocketChannel.open(family(ip)).bind(new InetSocketAddress(ip, 8080), BACKLOG));
        servers.add(server);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    server.accept().close();
                }
            } catch (ClosedChannelException e) {
                // the end
            } catch (IOException e) {
                failures.add("server: " + e);
            }
        });
    }

    /** Starts a client for each family. */
    void connectAllTheTime() {
        connectAllTheTime(Manifests.ip4(1));
        connectAllTheTime(Manifests.ip6(1));
    }

    private void connectAllTheTime(String ip) {
        AtomicInteger count = new AtomicInteger();
        connections.add(count);
        clients.add(Thread.ofPlatform().start(() -> {
            while (!stop) {
                try (SocketChannel channel = host.ns().call(() -> SocketChannel.open(family(ip)))) {
                    channel.socket().connect(new InetSocketAddress(ip, 80), TIMEOUT);
                    count.incrementAndGet();
                } catch (Exception e) {
                    failures.add(ip + " at " + Instant.now() + ": " + e);
                }
            }
        }));
    }

    /** Waits until each client has connected a few times more; none of them may have failed until then. */
    void assertStillServed() {
        List<Integer> before = connections.stream().map(AtomicInteger::get).toList();
        RunningDaemon.eventually().until(() -> {
            for (int i = 0; i < before.size(); i++) {
                if (connections.get(i).get() < before.get(i) + SOME && failures.isEmpty()) {
                    return false;
                }
            }
            return true;
        });
        assertThat(failures).isEmpty();
    }

    /** Ends the clients, once each has connected some times; not one of their connections may have failed. */
    void assertNoConnectionWasLost() throws InterruptedException {
        RunningDaemon.eventually()
                .until(() -> connections.stream().allMatch(count -> count.get() > 50) || !failures.isEmpty());
        endClients();
        assertThat(failures).isEmpty();
        assertThat(connections).allSatisfy(count -> assertThat(count.get()).isGreaterThan(50));
    }

    private void endClients() throws InterruptedException {
        stop = true;
        for (Thread client : clients) {
            client.join();
        }
    }

    @Override
    public void close() throws Exception {
        endClients();
        for (ServerSocketChannel server : servers) {
            server.close();
        }
        host.close();
    }
}
