package io.dualstackd.nodeaddr.io;

import static io.dualstackd.nodeaddr.io.WatchedNode.has;
import static io.dualstackd.nodeaddr.io.WatchedNode.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.io.RouteSubscription;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.Host.Flag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every way in which a host changes. */
@Tag("kernel")
final class HostWatchTest {
    private WatchedNode net;

    @BeforeEach
    void open() throws Exception {
        net = new WatchedNode();
    }

    @AfterEach
    void close() {
        net.close();
    }

    @Test
    void readsLinksAddressesAndRoutesOnce() throws Exception {
        int eth0 = net.cable("eth0");
        net.add(eth0, "10.0.0.1/24");
        net.add(eth0, "10.0.0.2/24");
        net.add(eth0, "fd00::1/64");
        net.route("10.0.0.254", 50);

        Host host = HostReader.read(net.ns);

        assertThat(host.link("lo").orElseThrow().loopback()).isTrue();
        assertThat(host.link("eth0")).hasValue(new Host.Link(eth0, "eth0", true, false, false));
        assertThat(has(host, "10.0.0.1", Flag.PERMANENT)).isTrue();
        assertThat(has(host, "10.0.0.2", Flag.PERMANENT, Flag.SECONDARY)).isTrue();
        assertThat(has(host, "fd00::1", Flag.PERMANENT)).isTrue();
        assertThat(host.defaultRoutes()).singleElement().satisfies(route -> {
            assertThat(route.gateway()).hasValue(Ip.parse("10.0.0.254"));
            assertThat(route.metric()).isEqualTo(50);
        });
    }

    /** As routing daemons may set it: then the kernel says no more of a route than the number of its next hop. */
    @Test
    void defaultRoutesThroughNextHopObjects() throws Exception {
        Sysctl.write(net.ns, "net/ipv4/nexthop_compat_mode", "0");
        int eth0 = net.cable("eth0");
        int eth1 = net.cable("eth1");
        net.add(eth0, "10.0.0.1/24");
        net.add(eth1, "10.0.1.1/24");
        net.add(eth1, "fd00:1::1/64");
        ip("nexthop", "add", "id", "7", "via", "10.0.0.254", "dev", "eth0");
        ip("nexthop", "add", "id", "8", "via", "10.0.1.254", "dev", "eth1");
        ip("nexthop", "add", "id", "9", "group", "7/8");
        ip("nexthop", "add", "id", "10", "via", "fd00:1::ff", "dev", "eth1");
        ip("route", "add", "default", "nhid", "7", "metric", "20");
        ip("route", "add", "default", "nhid", "9", "metric", "30");
        ip("-6", "route", "add", "default", "nhid", "10");
        try (HostWatch watch = net.watch()) {
            until(watch, host -> links(host).equals(List.of(eth0, eth0, eth1, eth1)));
            assertThat(watch.host().defaultRoutes())
                    .extracting(route -> route.gateway().map(Ip::toString).orElse(""))
                    .containsExactlyInAnyOrder("10.0.0.254", "10.0.0.254", "10.0.1.254", "fd00:1::ff");
            ip("nexthop", "replace", "id", "7", "via", "10.0.1.253", "dev", "eth1");
            until(watch, host -> links(host).equals(List.of(eth1, eth1, eth1, eth1)));
        }
    }

    @Test
    void aChangeThatTheListenerDidNotTakeIsPassedOnAgain() throws Exception {
        // Nothing else may change afterwards.
        Sysctl.write(net.ns, "net/ipv6/conf/default/disable_ipv6", "1");
        int eth0 = net.cable("eth0");
        try (HostWatch ignored = net.watch()) {
            net.refused.set("10.0.0.1");
            net.add(eth0, "10.0.0.1/24");
            await().atMost(WatchedNode.LONG).until(() -> net.reported.stream().anyMatch(host -> has(host, "10.0.0.1")));
            assertThat(net.refused).hasValue("");
        }
    }

    private static List<Integer> links(Host host) {
        return host.defaultRoutes().stream()
                .map(Host.DefaultRoute::link)
                .sorted()
                .toList();
    }

    private void ip(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        assertThat(net.ns.call(builder::start).waitFor()).isZero();
    }

    /** A look at links and addresses alone may be the first to see a link down; the news of it are no news any more then. */
    @Test
    void routesOfALinkThatIsFoundDownAreListedAtOnce() throws Exception {
        int eth0 = net.cable("eth0");
        net.add(eth0, "10.0.0.1/24");
        net.add(eth0, "fd00::1/64");
        net.route("10.0.0.254", 50);
        net.route("fd00::fe", 50);
        try (HostReader reader = HostReader.open(net.ns)) {
            Host before = reader.read(RefreshScope.ALL, Host.EMPTY);
            assertThat(before.defaultRoutes()).hasSize(2);
            net.node.change("eth0", new LinkChange.Down());
            assertThat(reader.read(RefreshScope.LINKS_AND_ADDRESSES, before).defaultRoutes())
                    .isEmpty();
        }
    }

    @Test
    void routesOfAnAddressThatIsFoundGoneAreListedAtOnce() throws Exception {
        int eth0 = net.cable("eth0");
        Address address = net.add(eth0, "10.0.0.1/24");
        net.route("10.0.0.254", 50);
        try (HostReader reader = HostReader.open(net.ns)) {
            Host before = reader.read(RefreshScope.ALL, Host.EMPTY);
            net.node.delete(address);
            assertThat(reader.read(RefreshScope.LINKS_AND_ADDRESSES, before).defaultRoutes())
                    .isEmpty();
        }
    }

    @Test
    void interfaceThatAppearsLaterIsRenamedAndGoes() throws Exception {
        try (HostWatch watch = net.watch()) {
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.1/24");
            net.add(eth0, "fd00::1/64");
            until(watch, host -> has(host, "10.0.0.1") && has(host, "fd00::1"));
            net.node.change("eth0", new LinkChange.Down(), new LinkChange.Rename("uplink"));
            until(watch, host -> host.link("uplink").filter(link -> !link.up()).isPresent());
            net.node.deleteLink(eth0);
            until(
                    watch,
                    host -> host.link(eth0).isEmpty()
                            && host.addresses().stream().noneMatch(a -> a.link() == eth0));
            assertThat(net.reported.getLast()).isEqualTo(watch.host());
        }
    }

    @Test
    void duplicateAddressIsTentativeThenFailedAndMayRecover() throws Exception {
        int eth0 = net.cable("eth0");
        // The kernel keeps sending requests for the address until one is answered, which the test does once it has seen
        // one.
        Sysctl.write(net.ns, "net/ipv6/conf/eth0/dad_transmits", "1000");
        try (HostWatch watch = net.watch()) {
            Address asked = WatchedNode.address(eth0, "fd00::5/64").withFlags(0);
            net.node.add(asked);
            until(watch, host -> has(host, "fd00::5", Flag.TENTATIVE));
            net.neighbour.add(Address.of(net.neighbour.indexOf("eth0"), Ip.parse("fd00::5"), 64));
            until(watch, host -> has(host, "fd00::5", Flag.DAD_FAILED));
            Sysctl.write(net.ns, "net/ipv6/conf/eth0/dad_transmits", "1");

            net.neighbour.delete(Address.of(net.neighbour.indexOf("eth0"), Ip.parse("fd00::5"), 64));
            net.node.delete(asked);
            net.node.add(asked);
            until(
                    watch,
                    host -> host.addresses().stream()
                            .anyMatch(a -> a.ip().equals(Ip.parse("fd00::5"))
                                    && a.flags().equals(Set.of(Flag.PERMANENT))));
        }
    }

    @Test
    void addressesGrowOldAndAreReplaced() throws Exception {
        int eth0 = net.cable("eth0");
        Address old = net.add(eth0, "fd00:1::1/64");
        try (HostWatch watch = net.watch()) {
            // Renumbering: the router announces a new network and lets the old one die.
            net.add(eth0, "fd00:2::1/64");
            net.lease(old, 0, 7200);
            until(watch, host -> has(host, "fd00:1::1", Flag.DEPRECATED) && has(host, "fd00:2::1", Flag.PERMANENT));
            net.node.delete(old);
            until(watch, host -> !has(host, "fd00:1::1"));
        }
    }

    @Test
    void preferredTimeThatRunsOutIsSeen() throws Exception {
        int eth0 = net.cable("eth0");
        try (HostWatch watch = net.watch()) {
            net.lease(WatchedNode.address(eth0, "fd00:1::1/64"), 1, 7200);
            net.lease(WatchedNode.address(eth0, "10.0.0.1/24"), 1, 7200);
            until(watch, host -> has(host, "fd00:1::1", Flag.DEPRECATED) && has(host, "10.0.0.1", Flag.DEPRECATED));
        }
    }

    @Test
    void temporaryAddressesAreKnownAsSuch() throws Exception {
        int eth0 = net.cable("eth0");
        Sysctl.write(net.ns, "net/ipv6/conf/eth0/use_tempaddr", "2");
        try (HostWatch watch = net.watch()) {
            // IFA_F_MANAGETEMPADDR: the kernel makes a temporary one out of it.
            net.node.add(WatchedNode.address(eth0, "fd00:1::1/64").withFlags(0x100));
            until(
                    watch,
                    host -> host.addresses().stream()
                            .anyMatch(address -> address.flags().contains(Flag.TEMPORARY)
                                    && IpPrefix.parse("fd00:1::/64").contains(address.ip())));
        }
    }

    @Test
    void defaultRoutesComeGoAndChangeTheirMetric() throws Exception {
        int eth0 = net.cable("eth0");
        int eth1 = net.cable("eth1");
        net.add(eth0, "10.0.0.1/24");
        net.add(eth1, "10.1.0.1/24");
        Route first = net.route("10.0.0.254", 100);
        try (HostWatch watch = net.watch()) {
            net.route("10.1.0.254", 200);
            until(watch, host -> host.defaultRoutes().size() == 2);
            net.node.delete(first);
            net.route("10.0.0.254", 300);
            until(watch, host -> host.defaultRoutes().stream().anyMatch(r -> r.link() == eth0 && r.metric() == 300));
            net.node.add(Route.dev(IpPrefix.parse("0.0.0.0/0"), eth1).withPriority(5));
            until(
                    watch,
                    host -> host.defaultRoutes().stream()
                            .anyMatch(r -> r.gateway().isEmpty() && r.metric() == 5));
        }
    }

    @Test
    void ipv4RoutesThatGoUnsaidAreMissed() throws Exception {
        int eth0 = net.cable("eth0");
        int eth1 = net.cable("eth1");
        net.add(eth0, "10.0.0.1/24");
        Address own = net.add(eth1, "10.1.0.1/24");
        net.route("10.0.0.254", 100);
        net.route("10.1.0.254", 200);
        try (HostWatch watch = net.watch()) {
            assertThat(watch.host().defaultRoutes()).hasSize(2);
            net.node.change("eth0", new LinkChange.Down());
            until(watch, host -> host.defaultRoutes().size() == 1);
            net.node.delete(own);
            until(watch, host -> host.defaultRoutes().isEmpty());
        }
    }

    @Test
    void flappingAddressCausesFewLooksAndIsSeenAtTheEnd() throws Exception {
        int eth0 = net.cable("eth0");
        try (HostWatch watch = net.watch()) {
            HostWatch.Work before = watch.work();
            long start = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                Address address = net.add(eth0, "10.0.0.1/24");
                net.node.delete(address);
            }
            net.add(eth0, "10.0.0.1/24");
            net.add(eth0, "10.0.0.2/24");
            until(watch, host -> has(host, "10.0.0.1") && has(host, "10.0.0.2"));
            long reads = watch.work().reads() - before.reads();
            long most = (System.nanoTime() - start) / Debounce.USUAL.quiet().toNanos() + 2;
            assertThat(reads).isBetween(1L, most);
            int reported = net.reported.size();
            // All reads since the start; the first one was not reported.
            assertThat((long) reported).isLessThan(watch.work().reads());
            assertThat(watch.work().routeLists()).isEqualTo(before.routeLists());
        }
    }

    @Test
    void floodOfOtherRoutesCausesNoLook() throws Exception {
        // The kernel checks an address of its own making for a second or two, and reports that.
        Sysctl.write(net.ns, "net/ipv6/conf/default/disable_ipv6", "1");
        int eth0 = net.cable("eth0");
        net.add(eth0, "10.0.0.1/24");
        try (HostWatch watch = net.watch()) {
            // What is under way settles first.
            net.add(eth0, "10.0.0.2/24");
            until(watch, host -> has(host, "10.0.0.2"));
            long before = watch.work().reads();
            for (int i = 0; i < 10_000; i++) {
                net.node.add(Route.dev(IpPrefix.parse("10.2." + i / 250 + "." + i % 250 + "/32"), eth0));
            }
            net.add(eth0, "10.0.0.3/24");
            until(watch, host -> has(host, "10.0.0.3"));
            // One for the address, and one more where something else of the kernel's came between.
            assertThat(watch.work().reads() - before).isBetween(1L, 3L);
            assertThat(net.reported.getLast().defaultRoutes()).isEmpty();
        }
    }

    @Test
    void lostSubscriptionIsOpenedAgainAndNothingIsMissed() throws Exception {
        int eth0 = net.cable("eth0");
        Semaphore broken = new Semaphore(0);
        Semaphore mended = new Semaphore(0);
        HostWatch.Sources honest = HostWatch.Sources.of(NetlinkSockets.of(net.ns));
        HostWatch.Sources sources = new HostWatch.Sources() {
            private boolean first = true;

            @Override
            public RouteSubscription subscribe() throws NetlinkException {
                if (first) {
                    first = false;
                    return new RouteSubscription(new Breaking(broken));
                }
                if (!mended.tryAcquire()) {
                    throw new NetlinkException.NoAnswer("subscribe", Duration.ZERO);
                }
                return honest.subscribe();
            }

            @Override
            public HostReader reader() throws NetlinkException {
                return honest.reader();
            }
        };
        Debounce quick = new Debounce(
                Duration.ofMillis(10),
                Duration.ofMillis(50),
                Duration.ofMinutes(5),
                Duration.ofMillis(1),
                Duration.ofMillis(20));
        try (HostWatch watch =
                HostWatch.open(sources, WatchTiming.SYSTEM, quick, net).begin()) {
            broken.release(1_000);
            await().atMost(WatchedNode.LONG).until(() -> !net.words.isEmpty());
            net.add(eth0, "10.0.0.1/24");
            mended.release();
            until(watch, host -> has(host, "10.0.0.1"));
            await().atMost(WatchedNode.LONG).until(() -> net.words.contains("again"));
            assertThat(net.words.getFirst()).startsWith("cannot: ");
            assertThat(net.words.stream().filter(word -> word.startsWith("cannot")))
                    .hasSize(1);
            assertThat(net.words.indexOf("changed")).isLessThan(net.words.indexOf("again"));
            net.add(eth0, "10.0.0.2/24");
            until(watch, host -> has(host, "10.0.0.2"));
        }
    }

    @Test
    void overrunLeadsToALookAtEverything() throws Exception {
        Semaphore overruns = new Semaphore(0);
        int eth0 = net.cable("eth0");
        HostWatch.Sources honest = HostWatch.Sources.of(NetlinkSockets.of(net.ns));
        HostWatch.Sources deaf = new HostWatch.Sources() {
            @Override
            public RouteSubscription subscribe() {
                return new RouteSubscription(new Overrunning(overruns));
            }

            @Override
            public HostReader reader() throws NetlinkException {
                return honest.reader();
            }
        };
        try (HostWatch watch =
                HostWatch.open(deaf, WatchTiming.SYSTEM, Debounce.USUAL, net).begin()) {
            net.add(eth0, "10.0.0.1/24");
            net.route("10.0.0.254", 1);
            overruns.release();
            until(watch, host -> has(host, "10.0.0.1") && host.defaultRoutes().size() == 1);
        }
    }

    /** Fails as often as it is allowed to; silent until then. */
    private record Breaking(Semaphore breaks) implements NlTransport {
        @Override
        public int portId() {
            return 0;
        }

        @Override
        public void send(NlWriter writer) {}

        @Override
        public Arrival receive(Duration timeout) throws NetlinkException {
            if (acquired(breaks, timeout)) {
                throw new NetlinkException.NoAnswer("receive", timeout);
            }
            return new Arrival.Silence();
        }

        @Override
        public void close() {}
    }

    /** Loses something as often as it is allowed to. */
    private record Overrunning(Semaphore losses) implements NlTransport {
        @Override
        public int portId() {
            return 0;
        }

        @Override
        public void send(NlWriter writer) {}

        @Override
        public Arrival receive(Duration timeout) {
            return acquired(losses, timeout) ? new Arrival.Overrun() : new Arrival.Silence();
        }

        @Override
        public void close() {}
    }

    private static boolean acquired(Semaphore permits, Duration timeout) {
        try {
            return permits.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void closeEndsTheThread() throws Exception {
        Set<Thread> before = threads();
        HostWatch watch = net.watch();
        Set<Thread> added = threads();
        added.removeAll(before);
        watch.close();
        assertThat(added)
                .singleElement()
                .satisfies(thread -> assertThat(thread.join(WatchedNode.LONG)).isTrue());
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("addresses"))
                .collect(Collectors.toSet());
    }
}
