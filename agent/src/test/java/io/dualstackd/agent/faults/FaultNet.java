package io.dualstackd.agent.faults;

import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;

/**
 * Two network namespaces and a wire between them: a node, and the place where its API server is. Settings that new namespaces inherit from
 * the host are set.
 */
final class FaultNet implements AutoCloseable {
    static final String NODE4 = "192.0.2.10";
    static final String NODE6 = "2001:db8::10";
    static final String SERVER4 = "192.0.2.1";
    static final int PORT = 6443;

    private final NetNs node;
    private final NetNs outside;

    private FaultNet(NetNs node, NetNs outside) {
        this.node = node;
        this.outside = outside;
    }

    static FaultNet make() throws Exception {
        FaultNet net = new FaultNet(NetNs.create(), NetNs.create());
        try {
            net.wire();
        } catch (Exception e) {
            net.close();
            throw e;
        }
        return net;
    }

    private void wire() throws Exception {
        for (NetNsCommands each : List.of(new NetNsCommands(node), new NetNsCommands(outside))) {
            each.run("ip", "link", "set", "lo", "up");
            each.run(
                    "sysctl",
                    "-q",
                    "-w",
                    "net.ipv4.ip_forward=0",
                    "net.ipv6.conf.all.forwarding=0",
                    "net.ipv4.conf.all.route_localnet=0",
                    "net.ipv6.conf.all.disable_ipv6=0",
                    "net.ipv6.conf.default.disable_ipv6=0",
                    "net.ipv6.conf.default.accept_ra=0");
        }
        new NetNsCommands(node)
                .run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", path(outside));
        plug(new NetNsCommands(node), NODE4, NODE6);
        plug(new NetNsCommands(outside), SERVER4, "2001:db8::1");
        new NetNsCommands(node).run("ip", "route", "add", "default", "via", SERVER4);
        new NetNsCommands(node).run("ip", "-6", "route", "add", "default", "via", "2001:db8::1");
    }

    private static void plug(NetNsCommands where, String ipv4, String ipv6) throws Exception {
        where.run("ip", "address", "add", ipv4 + "/24", "dev", "eth0");
        where.run("ip", "address", "add", ipv6 + "/64", "dev", "eth0", "nodad");
        where.run("ip", "link", "set", "eth0", "up");
    }

    private static String path(NetNs ns) {
        return "/proc/" + ProcessHandle.current().pid() + "/fd/" + ns.fd().number();
    }

    NetNs node() {
        return node;
    }

    NetNs outside() {
        return outside;
    }

    /** For {@code nsenter --net}. */
    String nodePath() {
        return path(node);
    }

    NetNsCommands commands() {
        return new NetNsCommands(node);
    }

    /** From now on every packet of the API server's connections is lost, without an error on either side. */
    void lose() throws Exception {
        new NetNsCommands(outside).feed("""
                table inet lost {
                  chain in { type filter hook input priority 0; tcp dport %1$d drop; }
                  chain out { type filter hook output priority 0; tcp sport %1$d drop; }
                }
                """.formatted(PORT), "nft", "-f", "-");
    }

    void loseNothing() throws Exception {
        new NetNsCommands(outside).feed("table inet lost\ndelete table inet lost\n", "nft", "-f", "-");
    }

    @Override
    public void close() {
        node.close();
        outside.close();
    }
}
