package io.dualstackd.agent.lab;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.util.Set;

/** A node and a client outside, joined by a cable called {@code uplink} at both ends; pods are the runtime's business. */
public final class NodeNet implements AutoCloseable {
    private static final String UPLINK = "uplink";

    private final NetNs node;
    private final NetNs client;

    private NodeNet(NetNs node, NetNs client) {
        this.node = node;
        this.client = client;
    }

    /** The node has addresses of these families only, and so has the client; without IPv4 not even 127.0.0.1. */
    public static NodeNet create(Set<IpFamily> families) throws IOException {
        NodeNet net = new NodeNet(FreshNetNs.create(), FreshNetNs.create());
        try {
            for (NetNs ns : new NetNs[] {net.node, net.client}) {
                for (String scope : new String[] {"all", "default"}) {
                    // Addresses serve at once, instead of a second later.
                    Sysctl.write(ns, "net/ipv6/conf/" + scope + "/accept_dad", "0");
                    Sysctl.write(ns, "net/ipv6/conf/" + scope + "/accept_ra", "0");
                    Sysctl.write(ns, "net/ipv4/conf/" + scope + "/rp_filter", "0");
                }
            }
            Sysctl.write(net.node, "net/ipv4/ip_forward", "1");
            Sysctl.write(net.node, "net/ipv6/conf/all/forwarding", "1");
            net.wire(families);
            return net;
        } catch (IOException e) {
            net.close();
            throw e;
        }
    }

    private void wire(Set<IpFamily> families) throws IOException {
        try (RouteClient here = RouteClient.open(node);
                RouteClient there = RouteClient.open(client)) {
            here.addVeth(UPLINK, UPLINK, client);
            for (RouteClient one : new RouteClient[] {here, there}) {
                one.change("lo", new LinkChange.Up());
                one.change(UPLINK, new LinkChange.Up());
            }
            if (!families.contains(IpFamily.IPV4)) {
                // The kernel gives it to every loopback.
                Ip loopback = Ip.parse("127.0.0.1");
                here.delete(Address.of(here.indexOf("lo"), loopback, 8));
                there.delete(Address.of(there.indexOf("lo"), loopback, 8));
            }
            for (IpFamily family : families) {
                int length = family == IpFamily.IPV4 ? 24 : 64;
                IpPrefix all = new IpPrefix(Ip.unspecified(family), 0);
                here.add(Address.of(here.indexOf(UPLINK), nodeIp(family), length));
                there.add(Address.of(there.indexOf(UPLINK), clientIp(family), length));
                here.add(Route.via(all, clientIp(family)));
                there.add(Route.via(all, nodeIp(family)));
            }
        }
    }

    public static Ip nodeIp(IpFamily family) {
        return Ip.parse(family == IpFamily.IPV4 ? "192.168.0.2" : "2001:db8::2");
    }

    public static Ip clientIp(IpFamily family) {
        return Ip.parse(family == IpFamily.IPV4 ? "192.168.0.1" : "2001:db8::1");
    }

    public NetNs node() {
        return node;
    }

    public NetNs client() {
        return client;
    }

    @Override
    public void close() {
        node.close();
        client.close();
    }
}
