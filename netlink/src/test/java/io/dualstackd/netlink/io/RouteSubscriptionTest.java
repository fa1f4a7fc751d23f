package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.io.RouteSubscription.Topic;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteChange;
import io.dualstackd.netlink.route.RouteMessages;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against the running kernel, in a namespace of its own. */
@Tag("kernel")
class RouteSubscriptionTest {
    private NetNs ns;
    private RouteClient client;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
        client = RouteClient.open(ns);
    }

    @AfterEach
    void close() {
        client.close();
        ns.close();
    }

    @Test
    void hearsEverythingThatHappens() throws Exception {
        try (RouteSubscription subscription =
                RouteSubscription.open(NetlinkSockets.of(ns), Topic.LINKS, Topic.ADDRESSES, Topic.ROUTES)) {
            assertThat(subscription.next(Duration.ZERO)).isEqualTo(new Notification.Quiet<>());
            client.addBridge("br0");
            client.change("br0", new LinkChange.Up());
            int link = client.indexOf("br0");
            Address four = Address.of(link, Ip.parse("10.1.0.1"), 24);
            Address six = Address.of(link, Ip.parse("fd00:1::1"), 64);
            client.add(four);
            client.add(six);
            // The kernel announces an IPv6 address from a work queue; one deleted before that was never announced.
            List<RouteChange> changes = new ArrayList<>(changesUntil(subscription, six.ip()));
            Route route = Route.dev(IpPrefix.parse("10.2.0.0/16"), link);
            client.add(route);
            client.delete(route);
            client.delete(four);
            client.delete(six);
            client.deleteLink(link);

            changes.addAll(drain(subscription));
            assertThat(changes)
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.LinkSeen.class,
                                    seen -> assertThat(seen.link().isUp()).isTrue()))
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.AddressSeen.class,
                                    seen -> assertThat(seen.address().ip()).isEqualTo(four.ip())))
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.AddressSeen.class,
                                    seen -> assertThat(seen.address().ip()).isEqualTo(six.ip())))
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.AddressGone.class,
                                    gone -> assertThat(gone.address().ip()).isEqualTo(four.ip())))
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.RouteSeen.class,
                                    seen -> assertThat(seen.route().destination())
                                            .isEqualTo(route.destination())))
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.RouteGone.class,
                                    gone -> assertThat(gone.route().destination())
                                            .isEqualTo(route.destination())))
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.LinkGone.class,
                                    gone -> assertThat(gone.link().name()).isEqualTo("br0")));
        }
    }

    @Test
    void reportsLostAfterBufferOverflow() throws Exception {
        NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns, 8 << 10);
        socket.join(RouteMessages.GROUP_LINK);
        try (RouteSubscription subscription = new RouteSubscription(socket)) {
            client.addBridge("br0");
            int link = client.indexOf("br0");
            for (int i = 0; i < 200; i++) {
                client.change(link, new LinkChange.Mtu(1000 + i));
            }
            boolean lost = false;
            Notification<RouteChange> event = subscription.next(Duration.ZERO);
            while (!(event instanceof Notification.Quiet)) {
                lost |= event instanceof Notification.Lost;
                event = subscription.next(Duration.ZERO);
            }
            assertThat(lost).isTrue();
            // After the loss it receives notifications again.
            client.change(link, new LinkChange.Mtu(1400));
            assertThat(drain(subscription))
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.LinkSeen.class,
                                    seen -> assertThat(seen.link().mtu()).hasValue(1400)));
        }
    }

    @Test
    void aPortThatLeavesItsBridgeIsStillThere() throws Exception {
        client.addBridge("br0");
        client.addVeth("port", "other");
        client.change("port", new LinkChange.Master(client.indexOf("br0")));
        try (RouteSubscription subscription = RouteSubscription.open(NetlinkSockets.of(ns), Topic.LINKS)) {
            client.change("port", new LinkChange.Master(0));
            assertThat(client.link("port")).isPresent();
            assertThat(drain(subscription))
                    .noneMatch(change -> change instanceof RouteChange.LinkGone)
                    .contains(new RouteChange.Other(RouteMessages.DELLINK))
                    .anySatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.LinkSeen.class,
                                    seen -> assertThat(seen.link().name()).isEqualTo("port")));
        }
    }

    @Test
    void closeEndsIt() throws Exception {
        RouteSubscription subscription = RouteSubscription.open(NetlinkSockets.of(ns), Topic.LINKS);
        subscription.close();
        assertThatExceptionOfType(NetlinkException.Closed.class)
                .isThrownBy(() -> subscription.next(Duration.ofMinutes(1)));
    }

    /** Everything up to the change of that address. */
    private static List<RouteChange> changesUntil(RouteSubscription from, Ip ip) throws NetlinkException {
        List<RouteChange> all = new ArrayList<>();
        while (all.stream()
                .noneMatch(change -> change instanceof RouteChange.AddressSeen(Address address)
                        && address.ip().equals(ip))) {
            if (!(from.next(Duration.ofMinutes(1)) instanceof Notification.Changes(List<RouteChange> changes))) {
                throw new AssertionError("no change of " + ip + " among " + all);
            }
            all.addAll(changes);
        }
        return all;
    }

    /** Most notifications are queued before the change that causes them is acknowledged, so they need not be waited for. */
    private static List<RouteChange> drain(RouteSubscription from) throws NetlinkException {
        List<RouteChange> all = new ArrayList<>();
        while (from.next(Duration.ZERO) instanceof Notification.Changes(List<RouteChange> changes)) {
            all.addAll(changes);
        }
        return all;
    }
}
