package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.RouteSubscription.Topic;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.NextHop;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteChange;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Default routes among others, against the running kernel in a namespace of its own. */
@Tag("kernel")
class DefaultRouteClientTest {
    private static final IpPrefix ANY4 = IpPrefix.parse("0.0.0.0/0");
    private static final IpPrefix ANY6 = IpPrefix.parse("::/0");

    private NetNs ns;
    private RouteClient client;
    private int link;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
        client = RouteClient.open(ns);
        client.addVeth("eth0", "eth1");
        client.change("eth1", new LinkChange.Up());
        client.change("eth0", new LinkChange.Up());
        link = client.indexOf("eth0");
        client.add(Address.of(link, Ip.parse("10.1.0.1"), 24));
        client.add(Address.of(link, Ip.parse("fd00:1::1"), 64));
    }

    @AfterEach
    void close() {
        client.close();
        ns.close();
    }

    private List<Route> list(IpFamily family) throws NetlinkException {
        try (DefaultRouteClient defaults = DefaultRouteClient.open(NetlinkSockets.of(ns))) {
            return defaults.list(family);
        }
    }

    @Test
    void namespaceWithoutAnyRouteHasNoDefaultRoute() throws Exception {
        try (NetNs bare = FreshNetNs.create();
                DefaultRouteClient defaults = DefaultRouteClient.open(NetlinkSockets.of(bare))) {
            assertThat(defaults.list(IpFamily.IPV4)).isEmpty();
            assertThat(defaults.list(IpFamily.IPV6)).isEmpty();
        }
    }

    @Test
    void everyKindOfDefaultRoute() throws Exception {
        client.add(Route.via(ANY4, Ip.parse("10.1.0.2")).withPriority(200));
        client.add(Route.dev(ANY4, link).withPriority(100));
        client.add(Route.onLink(ANY4, Ip.parse("fe80::1"), link).withPriority(300));
        client.add(Route.via(ANY6, Ip.parse("fd00:1::2")).withPriority(-2));
        client.add(Route.dev(ANY6, link)
                .withPriority(50)
                .withHops(List.of(NextHop.via(Ip.parse("fd00:1::3"), link), NextHop.via(Ip.parse("fd00:1::4"), link))));

        assertThat(list(IpFamily.IPV4))
                .extracting(Route::gateway)
                .containsExactlyInAnyOrder(
                        Optional.of(Ip.parse("10.1.0.2")), Optional.empty(), Optional.of(Ip.parse("fe80::1")));
        assertThat(list(IpFamily.IPV4))
                .allSatisfy(route -> assertThat(route.link()).hasValue(link));
        assertThat(list(IpFamily.IPV6))
                .anySatisfy(route -> assertThat(route.priority()).isEqualTo(OptionalInt.of(-2)))
                .anySatisfy(route -> {
                    assertThat(route.link()).isEmpty();
                    assertThat(route.hops())
                            .extracting(NextHop::gateway)
                            .containsExactly(Optional.of(Ip.parse("fd00:1::3")), Optional.of(Ip.parse("fd00:1::4")));
                });
        assertThat(IpTool.json(ns, "-4", "route", "show", "default"))
                .contains("\"family\":\"inet6\",\"host\":\"fe80::1\"");
    }

    @Test
    void otherTablesTypesAndDestinationsAreNone() throws Exception {
        IpTool.run(ns, List.of("ip", "route", "add", "unreachable", "default", "metric", "9"));
        IpTool.run(ns, List.of("ip", "-6", "route", "add", "blackhole", "default", "metric", "9"));
        IpTool.run(ns, List.of("ip", "route", "add", "default", "dev", "eth0", "table", "1000"));
        IpTool.run(ns, List.of("ip", "route", "add", "default", "dev", "eth0", "table", "100"));
        client.add(Route.dev(IpPrefix.parse("0.0.0.0/1"), link));
        assertThat(list(IpFamily.IPV4)).isEmpty();
        assertThat(list(IpFamily.IPV6)).isEmpty();
    }

    @Test
    void fiveThousandOtherRoutesAreSkippedInPlace() throws Exception {
        try (RouteSubscription subscription = RouteSubscription.open(NetlinkSockets.of(ns), Topic.DEFAULT_ROUTES)) {
            client.add(Route.via(ANY4, Ip.parse("10.1.0.2")));
            for (int i = 0; i < 5_000; i++) {
                client.add(Route.dev(IpPrefix.parse("10.2." + i / 250 + "." + i % 250 + "/32"), link));
            }
            client.add(Route.via(ANY6, Ip.parse("fd00:1::2")));
            List<RouteChange> changes = new ArrayList<>();
            while (subscription.next(Duration.ZERO) instanceof Notification.Changes(List<RouteChange> more)) {
                changes.addAll(more);
            }
            assertThat(changes)
                    .hasSize(2)
                    .allSatisfy(change -> assertThat(change)
                            .isInstanceOfSatisfying(
                                    RouteChange.RouteSeen.class,
                                    seen -> assertThat(seen.route().isDefault()).isTrue()));

            client.delete(Route.via(ANY4, Ip.parse("10.1.0.2")));
            assertThat(subscription.next(Duration.ZERO))
                    .isInstanceOfSatisfying(
                            Notification.Changes.class,
                            gone -> assertThat((List<?>) gone.changes())
                                    .singleElement()
                                    .isInstanceOf(RouteChange.RouteGone.class));
        }
        assertThat(list(IpFamily.IPV4)).isEmpty();
        assertThat(list(IpFamily.IPV6)).hasSize(1);
    }

    @Test
    void linksAndAddressesAreStillReported() throws Exception {
        try (RouteSubscription subscription =
                RouteSubscription.open(NetlinkSockets.of(ns), Topic.LINKS, Topic.ADDRESSES, Topic.DEFAULT_ROUTES)) {
            client.change(link, new LinkChange.Mtu(1400));
            client.add(Address.of(link, Ip.parse("10.3.0.1"), 24));
            List<RouteChange> changes = new ArrayList<>();
            while (subscription.next(Duration.ZERO) instanceof Notification.Changes(List<RouteChange> more)) {
                changes.addAll(more);
            }
            assertThat(changes)
                    .anySatisfy(change -> assertThat(change).isInstanceOf(RouteChange.LinkSeen.class))
                    .anySatisfy(change -> assertThat(change).isInstanceOf(RouteChange.AddressSeen.class))
                    .noneSatisfy(change -> assertThat(change).isInstanceOf(RouteChange.RouteSeen.class));
        }
    }
}
