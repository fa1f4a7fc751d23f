package io.dualstackd.nodeaddr.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.Lifetime;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.LinkKind;
import io.dualstackd.netlink.route.NextHop;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteChange;
import io.dualstackd.netlink.route.RouteOrigin;
import io.dualstackd.netlink.route.RouteType;
import io.dualstackd.netlink.route.Scope;
import io.dualstackd.nodeaddr.Host;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What has to be read again after which notification. */
final class RefreshDecisionTest {
    private static final Link UPLINK = link(2, "eth0", Link.UP);
    private static final Link POD = link(3, "veth3", Link.UP);
    private static final Address OWN = Address.of(2, Ip.parse("10.0.0.1"), 24);
    private static final Address ROUTER_SIDE = Address.of(1, Ip.parse("192.0.2.1"), 32);
    private static final Address POD_SIDE = Address.of(3, Ip.parse("fe80::1"), 64);
    private static final Route WAY_OUT = new Route(
            IpPrefix.parse("0.0.0.0/0"),
            IpPrefix.parse("0.0.0.0/0"),
            0,
            Route.MAIN,
            RouteOrigin.DHCP,
            Scope.GLOBAL,
            RouteType.UNICAST,
            0,
            OptionalInt.of(2),
            Optional.of(Ip.parse("10.0.0.254")),
            Optional.of(Ip.parse("192.0.2.1")),
            OptionalInt.of(100),
            List.of(),
            List.of());
    private static final Host KNOWN = new Host(
            List.of(KernelHost.link(UPLINK), KernelHost.link(POD)),
            List.of(KernelHost.address(OWN), KernelHost.address(ROUTER_SIDE), KernelHost.address(POD_SIDE)),
            KernelHost.routes(WAY_OUT).toList());

    private static Link link(int index, String name, int flags) {
        Link made = Link.of(name, LinkKind.plain());
        return new Link(
                index,
                name,
                1,
                flags,
                made.state(),
                made.mtu(),
                made.master(),
                made.lower(),
                made.mac(),
                made.kind(),
                List.of());
    }

    private static RefreshScope of(RouteChange change) {
        return RefreshDecision.of(change, KNOWN);
    }

    @Test
    void knownStateCausesNoRefresh() {
        assertThat(of(new RouteChange.LinkSeen(UPLINK))).isEqualTo(RefreshScope.NOTHING);
        assertThat(of(new RouteChange.LinkSeen(link(3, "veth3", Link.UP | Link.RUNNING | Link.LOWER_UP))))
                .isEqualTo(RefreshScope.NOTHING);
        assertThat(of(new RouteChange.AddressSeen(OWN.with(Lifetime.of(1800, 3600)))))
                .isEqualTo(RefreshScope.NOTHING);
        assertThat(of(new RouteChange.LinkGone(link(9, "veth9", 0)))).isEqualTo(RefreshScope.NOTHING);
        assertThat(of(new RouteChange.AddressGone(Address.of(2, Ip.parse("10.0.0.9"), 24))))
                .isEqualTo(RefreshScope.NOTHING);
        assertThat(of(new RouteChange.Other(99))).isEqualTo(RefreshScope.NOTHING);
    }

    @Test
    void podChangesCauseNoRouteListing() {
        assertThat(of(new RouteChange.LinkSeen(link(4, "veth4", 0)))).isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
        assertThat(of(new RouteChange.LinkGone(POD))).isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
        assertThat(of(new RouteChange.AddressSeen(Address.of(3, Ip.parse("fe80::2"), 64))))
                .isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
        assertThat(of(new RouteChange.AddressGone(POD_SIDE))).isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
    }

    @Test
    void otherAddressFlagsCauseRefresh() {
        assertThat(of(new RouteChange.AddressSeen(OWN.withFlags(Address.DEPRECATED))))
                .isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
        assertThat(of(new RouteChange.AddressSeen(OWN.with(Lifetime.of(0, 3600)))))
                .isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
    }

    @Test
    void routesAreListedWhenTheyMayHaveGoneUnsaid() {
        assertThat(of(new RouteChange.LinkSeen(link(2, "eth0", 0)))).isEqualTo(RefreshScope.ALL);
        assertThat(of(new RouteChange.LinkGone(UPLINK))).isEqualTo(RefreshScope.ALL);
        assertThat(of(new RouteChange.AddressGone(OWN))).isEqualTo(RefreshScope.ALL);
        assertThat(of(new RouteChange.AddressGone(ROUTER_SIDE))).isEqualTo(RefreshScope.ALL);
    }

    @Test
    void onlyDefaultRoutesCauseRefresh() {
        Route other = Route.via(IpPrefix.parse("10.9.0.0/16"), Ip.parse("10.0.0.254"));
        assertThat(of(new RouteChange.RouteSeen(other))).isEqualTo(RefreshScope.NOTHING);
        assertThat(of(new RouteChange.RouteGone(other))).isEqualTo(RefreshScope.NOTHING);
        assertThat(of(new RouteChange.RouteSeen(WAY_OUT))).isEqualTo(RefreshScope.ALL);
        assertThat(of(new RouteChange.RouteGone(WAY_OUT))).isEqualTo(RefreshScope.ALL);
    }

    @Test
    void eachHopOfARouteIsOne() {
        Route several = Route.dev(IpPrefix.parse("::/0"), 2)
                .withPriority(-1)
                .withHops(List.of(NextHop.via(Ip.parse("fe80::1"), 2), NextHop.via(Ip.parse("fe80::2"), 3)));
        assertThat(KernelHost.routes(several))
                .containsExactly(
                        new Host.DefaultRoute(
                                IpFamily.IPV6, 2, Optional.of(Ip.parse("fe80::1")), Optional.empty(), 0xffff_ffffL),
                        new Host.DefaultRoute(
                                IpFamily.IPV6, 3, Optional.of(Ip.parse("fe80::2")), Optional.empty(), 0xffff_ffffL));
    }

    @Test
    void oneFlagHasTwoMeanings() {
        assertThat(KernelHost.address(OWN.withFlags(1)).flags()).containsExactly(Host.Flag.SECONDARY);
        assertThat(KernelHost.address(POD_SIDE.withFlags(1)).flags()).containsExactly(Host.Flag.TEMPORARY);
    }
}
