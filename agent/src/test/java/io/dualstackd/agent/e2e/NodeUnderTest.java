package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.packets.Lab;
import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Probe;
import io.dualstackd.dataplane.packets.Probe.Answer;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.route.Address;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;

/** The laboratory with the whole daemon on its node, and the verbs of the checklist. */
@Tag("kernel")
final class NodeUnderTest implements AutoCloseable {
    /** Of two servers, one stays unseen this often with a chance of one in half a million. */
    static final int TRIES = 20;

    /** Milliseconds, where an answer is expected. */
    private static final int LONG = 60_000;

    /** Milliseconds, where silence is expected; a slow answer only costs another round. */
    private static final int SHORT = 300;

    /** Milliseconds, where an answer is expected soon, if not from the first round on. */
    private static final int SOON = 3_000;

    private final Lab lab;
    private final HostUnderTest host;
    private final ProxyMode mode;
    private RunningDaemon daemon;

    private List<String> more;

    private NodeUnderTest(Lab lab, HostUnderTest host, ProxyMode mode, List<String> more) throws Exception {
        this.more = more;
        this.lab = lab;
        this.host = host;
        this.mode = mode;
        this.daemon = startDaemon();
    }

    /** @param more arguments of the daemon */
    static NodeUnderTest start(Path folder, ProxyMode mode, String... more) throws Exception {
        Lab lab = Lab.open();
        try {
            return new NodeUnderTest(lab, HostUnderTest.of(lab.node(), folder), mode, List.of(more));
        } catch (Exception e) {
            lab.close();
            throw e;
        }
    }

    /** On a node without any IPv4 address, even that of its loopback interface. */
    static NodeUnderTest startWithoutIpv4(Path folder, ProxyMode mode) throws Exception {
        Lab lab = Lab.open();
        try {
            try (RouteClient routes = RouteClient.open(lab.node())) {
                for (Address address : routes.addresses(IpFamily.IPV4)) {
                    // Secondary ones may go with the first one of their network.
                    if (routes.addresses(IpFamily.IPV4).stream()
                            .anyMatch(left -> left.ip().equals(address.ip()))) {
                        routes.delete(address);
                    }
                }
            }
            return new NodeUnderTest(lab, HostUnderTest.of(lab.node(), folder), mode, List.of());
        } catch (Exception e) {
            lab.close();
            throw e;
        }
    }

    private RunningDaemon startDaemon() throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--standalone",
                "--proxy-mode",
                mode.toString(),
                "--manifests",
                host.manifests().toString(),
                "--admin-socket",
                host.socket().toString(),
                "--state-dir",
                host.manifests().resolveSibling("state").toString(),
                "--hostname-override",
                LabService.NODE,
                "--zone",
                "z1",
                "--cluster-cidr",
                LabMap.V4.pods() + "," + LabMap.V6.pods()));
        arguments.addAll(more);
        RunningDaemon started = host.startCommand(List.of(), arguments);
        started.awaitInForce();
        return started;
    }

    Lab lab() {
        return lab;
    }

    HostUnderTest host() {
        return host;
    }

    RunningDaemon daemon() {
        return daemon;
    }

    ProxyMode mode() {
        return mode;
    }

    /** SIGKILL, and a new one; returns when that one is content. */
    void restart() throws Exception {
        daemon.kill();
        daemon = startDaemon();
    }

    /** As {@link #restart}, with other arguments than those it was started with before. */
    void restartWith(String... otherwise) throws Exception {
        more = List.of(otherwise);
        restart();
    }

    void put(LabService service) throws Exception {
        host.put(service.name() + ".yaml", service.text());
    }

    void remove(LabService service) throws Exception {
        host.delete(service.name() + ".yaml");
    }

    /** One connection or datagram: the server's name, {@code refused} or {@code silence}. */
    String ask(LabMap map, Sender from, Ip to, int port, Proto protocol, int timeout) throws Exception {
        Answer answer = Probe.send(lab.hostOf(from).ns(), from.address(map), new IpPort(to, port), protocol, timeout);
        return switch (answer) {
            case Answer.From(String server, Ip ignored) -> server;
            case Answer.Refused() -> "refused";
            case Answer.Silence() -> "silence";
        };
    }

    String ask(LabMap map, Sender from, Ip to, int port, Proto protocol) throws Exception {
        return ask(map, from, to, port, protocol, LONG);
    }

    /** All that {@code tries} connections are answered by. */
    Set<String> servers(LabMap map, Sender from, Ip to, int port, Proto protocol, int tries) throws Exception {
        Set<String> servers = new TreeSet<>();
        for (int i = 0; i < tries; i++) {
            servers.add(ask(map, from, to, port, protocol, SHORT));
        }
        return servers;
    }

    /** Waits until exactly these serve, separated by blanks; or until it is {@code refused} or {@code silence}. */
    void await(LabMap map, Sender from, Ip to, int port, Proto protocol, String exactly) {
        // Silence takes its time, and is never one of several answers.
        boolean silence = exactly.equals("silence");
        int tries = silence ? 1 : TRIES;
        Set<String> expected = Set.of(exactly.split(" ", -1));
        eventually().untilAsserted(() -> {
            Set<String> servers = new TreeSet<>();
            for (int i = 0; i < tries && expected.containsAll(servers); i++) {
                servers.add(ask(map, from, to, port, protocol, silence ? SHORT : SOON));
            }
            assertThat(servers).as("%s → %s:%d %s", from, to, port, protocol).isEqualTo(expected);
        });
    }

    /** Waits until no server answers, in whatever way the connection fails. */
    void awaitRefused(LabMap map, Sender from, Ip to, int port, Proto protocol) {
        eventually()
                .untilAsserted(() -> assertThat(servers(map, from, to, port, protocol, 1))
                        .as("%s → %s:%d %s", from, to, port, protocol)
                        .isSubsetOf("refused", "silence"));
    }

    @Override
    public void close() throws Exception {
        host.close();
        lab.close();
    }
}
