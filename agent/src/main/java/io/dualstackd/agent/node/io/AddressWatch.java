package io.dualstackd.agent.node.io;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.io.RouteSubscription;
import io.dualstackd.netlink.io.RouteSubscription.Topic;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.sys.NetNs;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the list of this node's addresses. Its thread reads them again whenever the kernel says that one came or went. */
public final class AddressWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("addresses");

    private final RouteClient routes;
    private final RouteSubscription changes;
    private final Runnable changed;
    private volatile Map<IpFamily, List<Ip>> addresses;

    private AddressWatch(RouteClient routes, RouteSubscription changes, Runnable changed) throws NetlinkException {
        this.routes = routes;
        this.changes = changes;
        this.changed = changed;
        this.addresses = read();
    }

    /**
     * Reads the addresses of {@code ns} and follows them from now on.
     *
     * @param changed called on the watch's thread after the list changed; must not block
     */
    public static AddressWatch start(NetNs ns, Runnable changed) throws NetlinkException {
        // Subscribed before the first read, so that nothing can change unseen in between.
        RouteSubscription subscription = RouteSubscription.open(ns, Topic.ADDRESSES);
        AddressWatch watch = new AddressWatch(RouteClient.open(ns), subscription, changed);
        Thread.ofPlatform().daemon().name("addresses").start(watch::follow);
        return watch;
    }

    /** The node's usable addresses of a family, sorted; loopback included. */
    public List<Ip> addresses(IpFamily family) {
        return addresses.getOrDefault(family, List.of());
    }

    private Map<IpFamily, List<Ip>> read() throws NetlinkException {
        Map<IpFamily, List<Ip>> read = new EnumMap<>(IpFamily.class);
        for (IpFamily family : IpFamily.values()) {
            read.put(
                    family,
                    routes.addresses(family).stream()
                            .filter(address -> (address.flags() & Address.DAD_FAILED) == 0)
                            .map(Address::ip)
                            .distinct()
                            .sorted()
                            .toList());
        }
        return read;
    }

    private void follow() {
        try {
            while (true) {
                changes.next();
                Map<IpFamily, List<Ip>> now = read();
                if (!now.equals(addresses)) {
                    LOG.info("addresses changed ipv4={} ipv6={}", now.get(IpFamily.IPV4), now.get(IpFamily.IPV6));
                    addresses = now;
                    changed.run();
                }
            }
        } catch (NetlinkException.Closed e) {
            LOG.debug("watch closed");
        } catch (NetlinkException e) {
            LOG.error("watch ended reason=\"{}\" next=addresses-stay-as-they-are", e.getMessage());
        }
    }

    @Override
    public void close() {
        changes.close();
        routes.close();
    }
}
