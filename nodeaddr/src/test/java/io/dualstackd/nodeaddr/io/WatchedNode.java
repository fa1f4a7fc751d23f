package io.dualstackd.nodeaddr.io;

import static org.awaitility.Awaitility.await;

import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.Lifetime;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.nodeaddr.Host;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A namespace as a node, a neighbour, and what a watch reports about it. */
final class WatchedNode implements HostListener, AutoCloseable {
    static final Duration LONG = Duration.ofMinutes(1);

    final NetNs ns = NetNs.create();
    final NetNs outside = NetNs.create();
    final RouteClient node = RouteClient.open(ns);
    final RouteClient neighbour = RouteClient.open(outside);
    /** The listener throws at the first change with this address. */
    final AtomicReference<String> refused = new AtomicReference<>("");

    final List<Host> reported = new CopyOnWriteArrayList<>();
    final List<String> words = new CopyOnWriteArrayList<>();

    WatchedNode() throws Exception {
        // A new namespace inherits these from the host.
        for (NetNs one : List.of(ns, outside)) {
            Sysctl.write(one, "net/ipv4/ip_forward", "0");
            Sysctl.write(one, "net/ipv6/conf/all/forwarding", "0");
        }
        node.change("lo", new LinkChange.Up());
    }

    /** A cable to the neighbour, up on both ends. */
    int cable(String name) throws Exception {
        node.addVeth(name, name, outside);
        neighbour.change(name, new LinkChange.Up());
        node.change(name, new LinkChange.Up());
        return node.indexOf(name);
    }

    /** Usable at once. */
    Address add(int link, String prefix) throws Exception {
        Address address = address(link, prefix);
        node.add(address);
        return address;
    }

    static Address address(int link, String prefix) {
        int slash = prefix.indexOf('/');
        return Address.of(link, Ip.parse(prefix.substring(0, slash)), Integer.parseInt(prefix.substring(slash + 1)));
    }

    void lease(Address address, int preferredSeconds, int validSeconds) throws Exception {
        node.replace(address.with(Lifetime.of(preferredSeconds, validSeconds)));
    }

    Route route(String gateway, int metric) throws Exception {
        Ip router = Ip.parse(gateway);
        Route route = Route.via(everywhere(router.family()), router).withPriority(metric);
        node.add(route);
        return route;
    }

    static IpPrefix everywhere(IpFamily family) {
        return IpPrefix.parse(family == IpFamily.IPV4 ? "0.0.0.0/0" : "::/0");
    }

    HostWatch watch() throws Exception {
        return HostWatch.open(HostWatch.Sources.of(NetlinkSockets.of(ns)), WatchTiming.SYSTEM, Debounce.USUAL, this)
                .begin();
    }

    static void until(HostWatch watch, Predicate<Host> holds) {
        await().atMost(LONG).until(() -> holds.test(watch.host()));
    }

    static boolean has(Host host, String ip, Host.Flag... flags) {
        return host.addresses().stream()
                .anyMatch(address ->
                        address.ip().equals(Ip.parse(ip)) && address.flags().containsAll(List.of(flags)));
    }

    @Override
    public void changed(Host host) {
        String ip = refused.get();
        if (!ip.isEmpty() && has(host, ip)) {
            refused.set("");
            throw new IllegalStateException("once");
        }
        reported.add(host);
        words.add("changed");
    }

    @Override
    public void cannotFollow(String reason) {
        words.add("cannot: " + reason);
    }

    @Override
    public void followsAgain() {
        words.add("again");
    }

    @Override
    public void close() {
        node.close();
        neighbour.close();
        ns.close();
        outside.close();
    }
}
