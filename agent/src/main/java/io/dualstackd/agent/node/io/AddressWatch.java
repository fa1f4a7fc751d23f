package io.dualstackd.agent.node.io;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.io.RouteSubscription;
import io.dualstackd.netlink.io.RouteSubscription.Topic;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the list of this node's addresses. Its thread reads them again whenever the kernel says that one came or went. */
public final class AddressWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("addresses");

    /** How soon to try again when the kernel did not answer. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final NetNs ns;
    private final Runnable changed;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile RouteSubscription changes;
    private volatile Map<IpFamily, List<Ip>> addresses;

    private AddressWatch(NetNs ns, Runnable changed) throws NetlinkException {
        this.ns = ns;
        this.changed = changed;
        // Subscribed before the first read, so that nothing can change unseen in between.
        this.changes = RouteSubscription.open(ns, Topic.ADDRESSES);
        try {
            this.addresses = read();
        } catch (NetlinkException e) {
            changes.close();
            throw e;
        }
    }

    /**
     * Reads the addresses of {@code ns} and follows them from now on.
     *
     * @param changed called on the watch's thread after the list changed; must not block
     */
    public static AddressWatch start(NetNs ns, Runnable changed) throws NetlinkException {
        AddressWatch watch = new AddressWatch(ns, changed);
        Thread.ofPlatform().daemon().name("addresses").start(watch::follow);
        return watch;
    }

    /** The node's usable addresses of a family, sorted; loopback included. */
    public List<Ip> addresses(IpFamily family) {
        return addresses.getOrDefault(family, List.of());
    }

    private Map<IpFamily, List<Ip>> read() throws NetlinkException {
        try (RouteClient routes = RouteClient.open(ns)) {
            Map<IpFamily, List<Ip>> read = new EnumMap<>(IpFamily.class);
            for (IpFamily family : IpFamily.values()) {
                // A kernel without the family answers with the addresses of the others.
                read.put(
                        family,
                        routes.addresses(family).stream()
                                .filter(address -> (address.flags() & Address.DAD_FAILED) == 0)
                                .map(Address::ip)
                                .filter(ip -> ip.family() == family)
                                .distinct()
                                .sorted()
                                .toList());
            }
            return read;
        }
    }

    private void follow() {
        boolean failed = false;
        while (closed.getCount() > 0) {
            try {
                if (failed) {
                    changes.close();
                    changes = RouteSubscription.open(ns, Topic.ADDRESSES);
                } else {
                    changes.next();
                }
                look();
                failed = false;
            } catch (NetlinkException.Closed e) {
                LOG.debug("watch closed");
            } catch (NetlinkException | RuntimeException e) {
                if (!failed) {
                    LOG.warn("addresses cannot be followed reason=\"{}\" next=try-again-each-second", e.getMessage());
                }
                failed = true;
                pause();
            }
        }
        changes.close();
    }

    private void look() throws NetlinkException {
        Map<IpFamily, List<Ip>> now = read();
        if (!now.equals(addresses)) {
            LOG.info("addresses changed ipv4={} ipv6={}", now.get(IpFamily.IPV4), now.get(IpFamily.IPV6));
            addresses = now;
            changed.run();
        }
    }

    private void pause() {
        try {
            boolean ignored = closed.await(RETRY.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            closed.countDown();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        changes.close();
    }
}
