package io.dualstackd.bench.latency;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;

/** A network namespace that simulates a machine. */
final class Machine implements AutoCloseable {
    private final NetNs ns;
    private final RouteClient net;

    Machine() throws IOException, NetlinkException {
        ns = NetNs.create();
        net = RouteClient.open(ns);
        for (String scope : new String[] {"all", "default"}) {
            Sysctl.write(ns, "net/ipv4/conf/" + scope + "/rp_filter", "0");
            Sysctl.write(ns, "net/ipv6/conf/" + scope + "/accept_dad", "0");
            Sysctl.write(ns, "net/ipv6/conf/" + scope + "/dad_transmits", "0");
        }
        net.change("lo", new LinkChange.Up());
    }

    NetNs ns() {
        return ns;
    }

    void forward() throws IOException {
        Sysctl.write(ns, "net/ipv4/ip_forward", "1");
        Sysctl.write(ns, "net/ipv6/conf/all/forwarding", "1");
    }

    /** Connects it to another machine by a veth pair, both ends up. */
    void cable(String here, Machine other, String there) throws NetlinkException {
        net.addVeth(here, there, other.ns);
        net.change(here, new LinkChange.Up());
        other.net.change(there, new LinkChange.Up());
    }

    /** Adds an address without a network. */
    void address(String link, Ip ip) throws NetlinkException {
        net.add(Address.of(net.indexOf(link), ip, ip.family().bits()));
    }

    /** Makes all addresses in {@code to} neighbours on the link. */
    void neighbours(IpPrefix to, String link) throws NetlinkException {
        net.add(Route.dev(to, net.indexOf(link)));
    }

    void defaultRoute(Ip gateway) throws NetlinkException {
        net.add(Route.via(new IpPrefix(Ip.unspecified(gateway.family()), 0), gateway));
    }

    @Override
    public void close() {
        net.close();
        ns.close();
    }
}
