package io.dualstackd.agent.demo;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The demo's network: a node with one veth pair to an outside client and one to each pod, dual-stack, routed. Addresses are from
 * documentation and private ranges and exist only in these namespaces.
 */
final class DemoNet implements AutoCloseable {
    static final Ip NODE_4 = Ip.parse("192.0.2.10");
    static final Ip NODE_6 = Ip.parse("2001:db8::10");
    static final Ip CLIENT_4 = Ip.parse("192.0.2.100");
    static final Ip CLIENT_6 = Ip.parse("2001:db8::100");
    private static final Ip POD_GATEWAY_4 = Ip.parse("10.244.0.1");
    private static final Ip POD_GATEWAY_6 = Ip.parse("fe80::1");
    private static final IpPrefix ALL_4 = IpPrefix.parse("0.0.0.0/0");
    private static final IpPrefix ALL_6 = IpPrefix.parse("::/0");

    private final List<NetNs> all = new ArrayList<>();
    private final NetNs node;
    private final NetNs client;
    private final RouteClient nodeRoutes;

    private DemoNet(NetNs node, NetNs client, RouteClient nodeRoutes) {
        this.node = node;
        this.client = client;
        this.nodeRoutes = nodeRoutes;
        all.add(node);
        all.add(client);
    }

    /** Creates the node and the client. */
    static DemoNet create() throws SysException, NetlinkException, IOException {
        NetNs node = host();
        NetNs client = host();
        DemoNet net = new DemoNet(node, client, RouteClient.open(node));
        net.nodeRoutes.addVeth("uplink", "uplink", client);
        int link = net.up("uplink");
        net.nodeRoutes.add(Address.of(link, NODE_4, 24));
        net.nodeRoutes.add(Address.of(link, NODE_6, 64));
        // The node's own connections to a Service need a route to its address before the rules redirect them.
        net.nodeRoutes.add(Route.via(ALL_4, CLIENT_4));
        net.nodeRoutes.add(Route.via(ALL_6, CLIENT_6));
        for (String key : List.of("net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding")) {
            Sysctl.write(node, key, "1");
        }
        try (RouteClient outside = RouteClient.open(client)) {
            int peer = outside.indexOf("uplink");
            outside.change(peer, new LinkChange.Up());
            outside.add(Address.of(peer, CLIENT_4, 24));
            outside.add(Address.of(peer, CLIENT_6, 64));
            outside.add(Route.via(ALL_4, NODE_4));
            outside.add(Route.via(ALL_6, NODE_6));
        }
        return net;
    }

    NetNs node() {
        return node;
    }

    NetNs client() {
        return client;
    }

    /** Adds a pod with one address per family and a veth pair to the node. */
    NetNs addPod(Ip ip4, Ip ip6) throws SysException, NetlinkException, IOException {
        NetNs pod = host();
        all.add(pod);
        String cable = "pod" + all.size();
        nodeRoutes.addVeth(cable, "eth0", pod);
        int nodeEnd = up(cable);
        nodeRoutes.add(Address.of(nodeEnd, POD_GATEWAY_4, 32));
        nodeRoutes.add(Address.of(nodeEnd, POD_GATEWAY_6, 64));
        nodeRoutes.add(Route.dev(IpPrefix.host(ip4), nodeEnd));
        nodeRoutes.add(Route.dev(IpPrefix.host(ip6), nodeEnd));
        try (RouteClient inside = RouteClient.open(pod)) {
            int podEnd = inside.indexOf("eth0");
            inside.change(podEnd, new LinkChange.Up());
            inside.add(Address.of(podEnd, ip4, 32));
            inside.add(Address.of(podEnd, ip6, 128));
            inside.add(Route.onLink(ALL_4, POD_GATEWAY_4, podEnd));
            inside.add(Route.onLink(ALL_6, POD_GATEWAY_6, podEnd));
        }
        return pod;
    }

    /** The node's own address of a family. */
    static Ip nodeIp(IpFamily family) {
        return family == IpFamily.IPV4 ? NODE_4 : NODE_6;
    }

    private int up(String link) throws NetlinkException {
        int index = nodeRoutes.indexOf(link);
        nodeRoutes.change(index, new LinkChange.Up());
        return index;
    }

    /** Creates a namespace with loopback up, IPv6 on, and no duplicate address detection. */
    private static NetNs host() throws SysException, NetlinkException, IOException {
        NetNs ns = NetNs.create();
        for (String conf : List.of("all", "default")) {
            Sysctl.write(ns, "net/ipv6/conf/" + conf + "/disable_ipv6", "0");
            Sysctl.write(ns, "net/ipv6/conf/" + conf + "/accept_dad", "0");
            Sysctl.write(ns, "net/ipv4/conf/" + conf + "/rp_filter", "0");
        }
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.change("lo", new LinkChange.Up());
        }
        return ns;
    }

    @Override
    public void close() {
        nodeRoutes.close();
        all.forEach(NetNs::close);
    }
}
