package io.dualstackd.explain.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.explain.HostPath;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Forwarding that is on for one interface only: {@code forwarding} of IPv4, {@code force_forwarding} of IPv6 since Linux 6.17. */
@Tag("kernel")
final class InterfaceForwardingTest {
    private static final int PORT = 8080;
    private static final int MANY = 300;

    private final NetNs ns = FreshNetNs.create();
    private final NetNs client = FreshNetNs.create();
    private final NetNs server = FreshNetNs.create();

    InterfaceForwardingTest() throws Exception {
        try (RouteClient node = RouteClient.open(ns)) {
            cable(node, "eth0", client, 1);
            cable(node, "eth1", server, 2);
        }
    }

    private static void cable(RouteClient node, String name, NetNs far, int number) throws Exception {
        node.addVeth(name, name, far);
        try (RouteClient other = RouteClient.open(far)) {
            node.change(name, new LinkChange.Up());
            other.change(name, new LinkChange.Up());
            for (IpFamily family : IpFamily.values()) {
                int length = family == IpFamily.IPV4 ? 24 : 64;
                node.add(Address.of(node.indexOf(name), ip(family, number, 1), length));
                other.add(Address.of(other.indexOf(name), ip(family, number, 2), length));
                other.add(Route.via(
                        IpPrefix.parse(family == IpFamily.IPV4 ? "0.0.0.0/0" : "::/0"), ip(family, number, 1)));
            }
        }
    }

    private static Ip ip(IpFamily family, int network, int host) {
        return Ip.parse(family == IpFamily.IPV4 ? "10.0." + network + "." + host : "fd00:" + network + "::" + host);
    }

    @AfterEach
    void close() {
        List.of(ns, client, server).forEach(NetNs::close);
    }

    @ParameterizedTest
    @EnumSource
    void theInterfaceItComesInThroughDecides(IpFamily family) throws Exception {
        boolean ipv4 = family == IpFamily.IPV4;
        String folder = ipv4 ? "net/ipv4/conf/" : "net/ipv6/conf/";
        String setting = ipv4 ? "forwarding" : "force_forwarding";
        Sysctl.write(ns, folder + "all/forwarding", "0");
        if (Sysctl.interfaces(ns, folder, setting, "0").isEmpty()) {
            // IPv6 before Linux 6.17.
            assertThat(path(family, "eth0").drops()).isTrue();
            return;
        }
        assertThat(path(family, "eth0").drops()).isTrue();
        assertThat(path(family, "").drops()).isTrue();

        Sysctl.write(ns, folder + "eth0/" + setting, "1");
        assertThat(arrives(family, MANY)).as("what the kernel does").isTrue();
        assertThat(path(family, "eth0").drops()).isFalse();
        HostPath anywhere = path(family, "");
        assertThat(anywhere.drops()).isFalse();
        assertThat(anywhere.notSeen())
                .contains("forwarding, which depends on the interface it comes in through (--in NAME)");

        Sysctl.write(ns, folder + "eth0/" + setting, "0");
        Sysctl.write(ns, folder + "eth1/" + setting, "1");
        assertThat(arrives(family, 2)).as("what the kernel does").isFalse();
        assertThat(path(family, "eth0").drops()).isTrue();
    }

    private HostPath path(IpFamily family, String in) {
        Packet packet =
                new Packet(ip(family, 1, 2), new Packet.Origin.Interface(in), ip(family, 2, 2), Proto.UDP, PORT);
        return HostPathTracer.trace(ns, ProxyMode.NFTABLES, packet, PacketFate.NOT_OURS, 0x4000)
                .orElseThrow();
    }

    /** @param packets how many to send: the first ones of a new interface may be lost */
    private boolean arrives(IpFamily family, int packets) throws Exception {
        InetSocketAddress to = new InetSocketAddress(ip(family, 2, 2).toString(), PORT);
        try (DatagramSocket receiver = server.call(() -> new DatagramSocket(to));
                DatagramSocket sender = client.call(() -> new DatagramSocket(
                        new InetSocketAddress(ip(family, 1, 2).toString(), 0)))) {
            DatagramPacket packet = new DatagramPacket(new byte[1], 1, to);
            receiver.setSoTimeout(200);
            for (int attempt = 0; attempt < packets; attempt++) {
                sender.send(packet);
                try {
                    receiver.receive(new DatagramPacket(new byte[1], 1));
                    return true;
                } catch (SocketTimeoutException e) {
                    // The next one may.
                }
            }
            return false;
        }
    }
}
