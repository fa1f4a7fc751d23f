package io.dualstackd.dataplane.packets;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteType;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A machine of the laboratory: a network namespace of its own with {@code lo} up and no patience for address detection. */
public final class Host implements Closeable {
    private final String name;
    private final NetNs ns;
    private final RouteClient net;

    private Host(String name, NetNs ns, RouteClient net) {
        this.name = name;
        this.ns = ns;
        this.net = net;
    }

    static Host create(String name) throws IOException, NetlinkException {
        NetNs ns = FreshNetNs.create();
        Host host = new Host(name, ns, RouteClient.open(ns));
        for (String scope : new String[] {"all", "default"}) {
            host.set("net/ipv4/conf/" + scope + "/rp_filter", "0");
            host.set("net/ipv4/conf/" + scope + "/send_redirects", "0");
            // Link-local addresses are asked about, too, and the neighbour protocol waits for them.
            host.set("net/ipv6/conf/" + scope + "/accept_dad", "0");
            host.set("net/ipv6/conf/" + scope + "/dad_transmits", "0");
            host.set("net/ipv6/conf/" + scope + "/accept_ra", "0");
        }
        // Every refusal must be heard; the kernel would otherwise send six a second to one client.
        host.set("net/ipv4/icmp_ratelimit", "0");
        host.set("net/ipv6/icmp/ratelimit", "0");
        // And 50 at once to all of them. Before Linux 6.13 that is a setting of the machine.
        host.setIfThere("net/ipv4/icmp_msgs_burst", "1000000");
        host.setIfThere("net/ipv4/icmp_msgs_per_sec", "1000000");
        host.net.change("lo", new LinkChange.Up());
        return host;
    }

    public NetNs ns() {
        return ns;
    }

    /** A setting below {@code /proc/sys}. */
    void set(String key, String value) throws IOException {
        Sysctl.write(ns, key, value);
    }

    private void setIfThere(String key, String value) throws IOException {
        try {
            set(key, value);
        } catch (NoSuchFileException e) {
            // Not a setting of a namespace in this kernel.
        }
    }

    /** Lays a cable to another host, both ends up. */
    void cable(String here, Host other, String there) throws NetlinkException {
        net.addVeth(here, there, other.ns);
        net.change(here, new LinkChange.Up());
        other.net.change(there, new LinkChange.Up());
    }

    void address(String link, Ip ip, int length) throws NetlinkException {
        net.add(Address.of(net.indexOf(link), ip, length));
        awaitLocal(ip);
    }

    /** The kernel adds the route to an IPv6 address of its own a moment after the address, and packets to it are lost meanwhile. */
    private void awaitLocal(Ip own) throws NetlinkException {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (System.nanoTime() - end < 0) {
            try {
                if (net.lookup(own, Optional.empty(), OptionalInt.empty())
                        .type()
                        .equals(RouteType.LOCAL)) {
                    return;
                }
            } catch (NetlinkException.Refused notYet) {
                // no route leads there at all
            }
        }
        throw new IllegalStateException("no local route to " + own);
    }

    /** An address that belongs to no network. */
    void address(String link, Ip ip) throws NetlinkException {
        address(link, ip, ip.family().bits());
    }

    void forget(String link, Ip ip) throws NetlinkException {
        net.delete(Address.of(net.indexOf(link), ip, ip.family().bits()));
    }

    void neighbour(Ip ip, String link) throws NetlinkException {
        net.add(Route.dev(IpPrefix.host(ip), net.indexOf(link)));
    }

    void route(IpPrefix to, Ip gateway) throws NetlinkException {
        net.add(Route.via(to, gateway));
    }

    void defaultRoute(Ip gateway) throws NetlinkException {
        route(new IpPrefix(Ip.unspecified(gateway.family()), 0), gateway);
    }

    /** Takes 127.0.0.0/8 from itself and sends it to a neighbour, as an attacker on the wire would. */
    void routeLoopbackTo(Ip gateway) throws NetlinkException {
        IpPrefix loopback = IpPrefix.parse("127.0.0.0/8");
        for (Route route : net.routes(IpFamily.IPV4)) {
            if (loopback.contains(route.destination().address())) {
                net.delete(route);
            }
        }
        route(loopback, gateway);
    }

    void forward() throws IOException {
        set("net/ipv4/ip_forward", "1");
        set("net/ipv6/conf/all/forwarding", "1");
    }

    static int networkLength(IpFamily family) {
        return family == IpFamily.IPV4 ? 24 : 64;
    }

    @Override
    public void close() {
        net.close();
        ns.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
