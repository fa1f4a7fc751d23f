package io.dualstackd.agent.node.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Against the running kernel, in a namespace of its own. */
final class AddressWatchTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void followsTheAddressesOfBothFamiliesAndTellsOnlyOfChanges() throws Exception {
        Semaphore told = new Semaphore(0);
        try (NetNs ns = NetNs.create();
                RouteClient routes = RouteClient.open(ns);
                AddressWatch watch = AddressWatch.start(ns, told::release)) {
            assertThat(watch.addresses(IpFamily.IPV4)).isEmpty();
            routes.addBridge("br0");
            int bridge = routes.indexOf("br0");
            Ip four = Ip.parse("10.1.0.1");
            Ip six = Ip.parse("fd00:1::1");
            routes.add(Address.of(bridge, four, 24));
            routes.add(Address.of(bridge, six, 64));
            await().atMost(LONG).until(() -> watch.addresses(IpFamily.IPV4).equals(List.of(four)));
            await().atMost(LONG).until(() -> watch.addresses(IpFamily.IPV6).equals(List.of(six)));
            // One look may see both.
            await().atMost(LONG).until(() -> told.availablePermits() >= 1);
            assertThat(told.availablePermits()).isLessThanOrEqualTo(2);

            routes.delete(Address.of(bridge, four, 24));
            await().atMost(LONG).until(() -> watch.addresses(IpFamily.IPV4).isEmpty());
            assertThat(watch.addresses(IpFamily.IPV6)).containsExactly(six);
        }
    }

    /** More addresses at once than the notifications of them fit into the socket: those are lost, the list is not. */
    @Test
    void lostNewsLeadToAnotherLook() throws Exception {
        try (NetNs ns = NetNs.create();
                RouteClient routes = RouteClient.open(ns);
                AddressWatch watch = AddressWatch.start(ns, () -> {})) {
            routes.addBridge("br0");
            int bridge = routes.indexOf("br0");
            for (int i = 0; i < 5_000; i++) {
                routes.add(Address.of(bridge, Ip.parse("10.2." + i / 250 + "." + (i % 250 + 1)), 32));
            }
            await().atMost(LONG).until(() -> watch.addresses(IpFamily.IPV4).size() == 5_000);
        }
    }
}
