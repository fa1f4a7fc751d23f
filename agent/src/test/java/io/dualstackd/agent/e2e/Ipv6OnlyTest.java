package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.pages.health.io.RawHttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A node without any IPv4 address, not even 127.0.0.1 (GEP-21), and one whose kernel has IPv6 switched off. */
@Tag("kernel")
final class Ipv6OnlyTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void everythingWorksWithoutIpv4(ProxyMode mode) throws Exception {
        try (NodeUnderTest node = NodeUnderTest.startWithoutIpv4(folder, mode)) {
            var ns = node.lab().node();
            try (RouteClient routes = RouteClient.open(ns)) {
                assertThat(routes.addresses(IpFamily.IPV4)).isEmpty();
            }
            LabMap map = LabMap.V6;
            LabService service = LabService.balanced("health", 8, "L1,R1")
                    .spec("externalTrafficPolicy: Local")
                    .spec("healthCheckNodePort: 32008");
            node.put(service);
            node.await(map, Sender.POD, map.clusterIp(8), 80, Proto.TCP, "L1 R1");
            node.await(map, Sender.NODE, map.clusterIp(8), 80, Proto.UDP, "L1 R1");
            node.await(map, Sender.CLIENT, map.node(), 30008, Proto.TCP, "L1");
            node.await(map, Sender.CLIENT, map.vip(8), 80, Proto.UDP, "L1");
            eventually()
                    .untilAsserted(() -> assertThat(RawHttpClient.status(
                                    node.lab().hostOf(Sender.CLIENT).ns(), map.node(), 32008))
                            .isEqualTo(200));

            assertThat(RawHttpClient.get(ns, map.loopback(), 10256, "/livez")).startsWith("HTTP/1.1 200 ");
            assertThat(RawHttpClient.status(node.lab().hostOf(Sender.CLIENT).ns(), map.node(), 10256))
                    .isNotZero();
            assertThat(RawHttpClient.get(ns, map.loopback(), 10249, "/proxyMode"))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("\r\n\r\n" + mode);

            HostUnderTest.Ended status = node.host()
                    .run("status", "--admin-socket", node.host().socket().toString());
            // The Service wants node ports in both families.
            assertThat(status.exitCode()).as(status.out() + status.err()).isEqualTo(5);
            assertThat(status.out())
                    .contains(
                            "reasons    IPv4: node ports of 1 Service have no address of this node to answer on\nrunning",
                            "InternalIP " + map.node())
                    .doesNotContain("192.168.", "127.0.0.1");

            node.restart();
            node.await(map, Sender.CLIENT, map.node(), 30008, Proto.TCP, "L1");
        }
    }

    @Test
    void ipv4WorksWhereIpv6IsSwitchedOff() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            ipv6(host, false);
            host.commands().run("ip", "link", "set", "lo", "up");
            host.commands().run("ip", "address", "add", "192.168.7.1/24", "dev", "lo");
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.start("--proxy-mode", "nftables");
            daemon.awaitLines(" in force family=IPv4 ", 1);
            assertThat(daemon.count("single-stack: there is no IPv6 on this host"))
                    .isEqualTo(1);
            assertThat(RawHttpClient.get(host.ns(), LabMap.V4.loopback(), 10256, "/livez"))
                    .startsWith("HTTP/1.1 200 ");
            assertThat(RawHttpClient.get(host.ns(), LabMap.V4.loopback(), 10249, "/proxyMode"))
                    .endsWith("nftables");
            HostUnderTest.Ended status =
                    host.run("status", "--admin-socket", host.socket().toString());
            assertThat(status.exitCode()).as(status.out() + status.err()).isZero();

            // What is not served is not compared with the kernel, which has nothing of it.
            HostUnderTest.Ended service = host.run(
                    "explain", "e2e/web", "--admin-socket", host.socket().toString());
            assertThat(service.out())
                    .as(service.err())
                    .contains(Manifests.ip4(1) + ":80/tcp")
                    .doesNotContain("KERNEL DIFFERS", Manifests.ip6(1));
            for (String command : List.of("explain", "trace")) {
                HostUnderTest.Ended packet = host.run(
                        command,
                        "fd00::9",
                        "[" + Manifests.ip6(1) + "]:80",
                        "--admin-socket",
                        host.socket().toString());
                assertThat(packet.exitCode()).isNotZero();
                assertThat(packet.out() + packet.err())
                        .contains("there are no rules for IPv6 on this host: net.ipv6.conf.all.disable_ipv6 is 1");
            }
        }
    }

    /** The same process, the same lock, and the IPv4 rules stay in the kernel throughout. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void ipv6ThatIsSwitchedOnLaterIsServedWithoutARestart(ProxyMode mode) throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            ipv6(host, false);
            host.commands().run("ip", "link", "set", "lo", "up");
            host.commands().run("ip", "address", "add", "192.168.7.1/24", "dev", "lo");
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.start("--proxy-mode", mode.toString());
            daemon.awaitLines(" in force family=IPv4 ", 1);
            assertThat(daemon.count(" in force family=IPv6 ")).isZero();

            ipv6(host, true);
            host.commands().run("ip", "address", "add", "fd00:7::1/64", "dev", "lo");
            daemon.awaitLines("IPv6 is there now", 1);
            daemon.awaitLines(" in force family=IPv6 ", 1);
            RunningDaemon.eventually()
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(RawHttpClient.get(host.ns(), LabMap.V4.loopback(), 10256, "/livez"))
                            .startsWith("HTTP/1.1 200 "));
            // The JVM started without IPv6, and its own sockets will never have it.
            RunningDaemon.eventually().ignoreExceptions().untilAsserted(() -> {
                assertThat(RawHttpClient.get(host.ns(), LabMap.V6.loopback(), 10256, "/livez"))
                        .startsWith("HTTP/1.1 200 ");
                assertThat(RawHttpClient.get(host.ns(), LabMap.V4.loopback(), 10249, "/proxyMode"))
                        .endsWith(mode.toString());
            });
            RunningDaemon.eventually().untilAsserted(() -> {
                HostUnderTest.Ended status =
                        host.run("status", "--admin-socket", host.socket().toString());
                assertThat(status.exitCode()).as(status.out() + status.err()).isZero();
                assertThat(status.out())
                        .containsPattern("(?m)^IPv6 .* ready ")
                        .as("nothing was sent for the family that was there")
                        .containsPattern("(?m)^IPv4 .* none yet$");
            });
            host.put("more.yaml", Manifests.service("more", 2, "") + Manifests.slices("more", 0, 2));
            int before = daemon.count(" in force family=IPv6 ");
            daemon.awaitLines(" in force family=IPv6 ", Math.max(2, before));
            assertThat(daemon.isAlive()).isTrue();
            assertThat(daemon.terminate()).isZero();
        }
    }

    /** As at a reload: with the host's new name as the node's, no endpoint would be on this node any more. */
    @Test
    void ipv6ThatIsSwitchedOnLaterDoesNotRenameTheNode() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            ipv6(host, false);
            host.commands().run("ip", "link", "set", "lo", "up");
            List<String> arguments = new ArrayList<>(host.runArguments("--proxy-mode", "nftables"));
            int override = arguments.indexOf("--hostname-override");
            arguments.subList(override, override + 2).clear();
            RunningDaemon daemon = host.startCommand(
                    List.of("unshare", "--uts", "sh", "-c", "hostname name-at-the-start; exec \"$@\"", "sh"),
                    arguments);
            daemon.awaitLines(" in force family=IPv4 ", 1);
            Path own = Path.of("/proc/self/ns/uts");
            Path daemons = Path.of("/proc/" + daemon.pid() + "/ns/uts");
            assertThat(Files.readSymbolicLink(daemons)).isNotEqualTo(Files.readSymbolicLink(own));
            host.commands().run("nsenter", "--uts=" + daemons, "hostname", "renamed");

            ipv6(host, true);
            daemon.awaitLines("IPv6 is there now", 1);
            daemon.awaitLines(" in force family=IPv6 ", 1);
            assertThat(daemon.count(" node=name-at-the-start ")).isEqualTo(2);
            assertThat(daemon.count(" node=renamed ")).isZero();
        }
    }

    /** Families and networks that are asked for must be there: nothing is started with others. Exit code 1, so that systemd tries again. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--node-ips     | ipv6,ipv4        | the node's primary IP is to be an IPv6 address, and this host has none (",
                "--bind-address | fd00::1          | the node's primary IP is to be an IPv6 address, and this host has none (",
                "--cluster-cidr | fd00:10:244::/56 | clusterCIDR fd00:10:244::/56 is of a family this host does not have (",
            })
    void refusesIpv6SettingsWithoutIpv6(String flag, String value, String reason) throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            ipv6(host, false);
            List<String> arguments = new ArrayList<>(host.runArguments());
            int given = arguments.indexOf(flag);
            if (given >= 0) {
                arguments.set(given + 1, value);
            } else {
                arguments.addAll(List.of(flag, value));
            }
            HostUnderTest.Ended ended = host.run(arguments.toArray(String[]::new));
            assertThat(ended.exitCode()).as(ended.out() + ended.err()).isEqualTo(1);
            assertThat(ended.err()).contains(reason, "net.ipv6.conf.all.disable_ipv6 is 1");
            assertThat(host.commands().ruleset()).isEmpty();
        }
    }

    private static void ipv6(HostUnderTest host, boolean on) throws Exception {
        for (String which : new String[] {"all", "default", "lo"}) {
            host.commands()
                    .run("sh", "-c", "echo " + (on ? 0 : 1) + " > /proc/sys/net/ipv6/conf/" + which + "/disable_ipv6");
        }
    }
}
