package io.dualstackd.standalone.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.allocation.AddressPool.Answer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behaviour of KEP-1880: bands, exhaustion, overlapping and vanishing networks. */
final class AddressPoolTest {
    private final Random random = new Random(7);

    private static AddressPool pool(String... networks) {
        AddressPool pool = new AddressPool(IpPrefix.parse(networks[0]).family());
        for (String network : networks) {
            pool.addRange(IpPrefix.parse(network), true);
        }
        return pool;
    }

    private static Answer given(String ip) {
        return new Answer.Given(Ip.parse(ip));
    }

    private static Answer denied(AllocationFailure reason) {
        return new Answer.Denied(reason);
    }

    private Set<Ip> takeAll(AddressPool pool, IpFamily family) {
        Set<Ip> taken = new HashSet<>();
        while (true) {
            switch (pool.take(random)) {
                case Answer.Given(Ip ip) ->
                    assertThat(taken.add(ip)).as("given twice: " + ip).isTrue();
                case Answer.Denied(AllocationFailure reason) -> {
                    assertThat(reason).isEqualTo(new AllocationFailure.RangeFull(family));
                    return taken;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.168.1.0/28", "192.168.1.0/30", "10.0.0.0/22", "fd00::/120"})
    void everyAddressIsGivenOnceAndThenNone(String network) {
        AddressPool pool = pool(network);
        IpPrefix prefix = IpPrefix.parse(network);
        Set<Ip> taken = takeAll(pool, prefix.family());
        assertThat(taken).hasSize((int) new ServiceRange(prefix).size());
        Ip one = taken.iterator().next();
        pool.giveBack(one);
        assertThat(pool.take(random)).isEqualTo(new Answer.Given(one));
    }

    @Test
    void aNetworkWithoutRoomIsFullAtOnce() {
        assertThat(pool("192.168.1.0/31").take(random))
                .isEqualTo(denied(new AllocationFailure.RangeFull(IpFamily.IPV4)));
    }

    @Test
    void theStaticBandIsLeftToThoseWhoNameAnAddress() {
        AddressPool pool = pool("10.0.0.0/24");
        Set<Ip> dynamic = new HashSet<>();
        for (int i = 0; i < 238; i++) {
            dynamic.add(((Answer.Given) pool.take(random)).ip());
        }
        assertThat(dynamic).allMatch(ip -> ip.compareTo(Ip.parse("10.0.0.17")) >= 0);
        assertThat(pool.take(Ip.parse("10.0.0.1"))).isEqualTo(given("10.0.0.1"));
        assertThat(((Answer.Given) pool.take(random)).ip()).isLessThan(Ip.parse("10.0.0.17"));
    }

    @Test
    void anAddressIsTakenOnlyOnce() {
        AddressPool pool = pool("10.0.0.0/24");
        Ip ip = Ip.parse("10.0.0.10");
        assertThat(pool.take(ip)).isEqualTo(given("10.0.0.10"));
        assertThat(pool.take(ip)).isEqualTo(denied(new AllocationFailure.AlreadyAllocated(ip)));
        assertThat(takeAll(pool, IpFamily.IPV4)).hasSize(253).doesNotContain(ip);
    }

    @Test
    void theEndsOfANetworkAreOutOfRangeUnlessALargerOneHasThem() {
        Ip network = Ip.parse("192.168.1.0");
        Ip broadcast = Ip.parse("192.168.1.255");
        AddressPool pool = pool("192.168.1.0/24");
        assertThat(pool.take(network)).isEqualTo(denied(new AllocationFailure.OutOfRange(network)));
        assertThat(pool.take(broadcast)).isEqualTo(denied(new AllocationFailure.OutOfRange(broadcast)));
        pool.addRange(IpPrefix.parse("192.168.0.0/16"), true);
        assertThat(pool.take(network)).isEqualTo(given("192.168.1.0"));
        assertThat(pool.take(broadcast)).isEqualTo(given("192.168.1.255"));
        Ip never = Ip.parse("192.168.255.255");
        assertThat(pool.take(never)).isEqualTo(denied(new AllocationFailure.OutOfRange(never)));
    }

    @Test
    void twoNetworksAreUsedUpOneAfterTheOther() {
        AddressPool pool = pool("192.168.0.0/28", "10.0.0.0/28");
        assertThat(takeAll(pool, IpFamily.IPV4)).hasSize(28);
    }

    @Test
    void overlappingNetworksGiveNoAddressTwice() {
        AddressPool pool = pool("10.0.0.0/30");
        Set<Ip> taken = takeAll(pool, IpFamily.IPV4);
        assertThat(taken).hasSize(2);
        pool.addRange(IpPrefix.parse("10.0.0.0/28"), true);
        taken.addAll(takeAll(pool, IpFamily.IPV4));
        assertThat(taken).hasSize(14);
    }

    @Test
    void nothingComesFromANetworkThatIsNotReadyOrGone() {
        AddressPool pool = new AddressPool(IpFamily.IPV6);
        Ip ip = Ip.parse("fd00::5");
        assertThat(pool.take(random)).isEqualTo(denied(new AllocationFailure.NoRange(IpFamily.IPV6)));
        pool.addRange(IpPrefix.parse("fd00::/64"), false);
        assertThat(pool.take(random)).isEqualTo(denied(new AllocationFailure.NoRange(IpFamily.IPV6)));
        assertThat(pool.take(ip)).isEqualTo(denied(new AllocationFailure.OutOfRange(ip)));
        pool.addRange(IpPrefix.parse("fd00::/64"), true);
        assertThat(pool.take(ip)).isEqualTo(given("fd00::5"));
        pool.removeRange(IpPrefix.parse("fd00::/64"));
        assertThat(pool.take(random)).isEqualTo(denied(new AllocationFailure.NoRange(IpFamily.IPV6)));
        assertThat(pool.isUsed(ip)).as("what is in use stays in use").isTrue();
        pool.addRange(IpPrefix.parse("fd00::/120"), true);
        assertThat(pool.take(ip)).isEqualTo(denied(new AllocationFailure.AlreadyAllocated(ip)));
    }

    @Test
    void addressAllocatedOutsideNetworksStaysAllocated() {
        AddressPool pool = pool("10.0.0.0/24");
        assertThat(pool.use(Ip.parse("10.9.0.1"))).isTrue();
        assertThat(pool.use(Ip.parse("10.9.0.1"))).isFalse();
        pool.addRange(IpPrefix.parse("10.9.0.0/30"), true);
        pool.removeRange(IpPrefix.parse("10.0.0.0/24"));
        assertThat(pool.take(random)).isEqualTo(given("10.9.0.2"));
    }

    /** Neither the size of a network nor what is in use may be walked over. */
    @Test
    void fullLargeNetworkFailsAtOnceAndHugeOneAllocates() {
        AddressPool pool = pool("10.0.0.0/14", "10.4.0.0/14");
        ServiceRange first = new ServiceRange(IpPrefix.parse("10.0.0.0/14"));
        for (long i = 0; i < first.size(); i++) {
            pool.use(first.at(i));
        }
        for (int i = 0; i < 10_000; i++) {
            assertThat(((Answer.Given) pool.take(random)).ip()).isGreaterThan(Ip.parse("10.4.0.0"));
        }
        AddressPool six = pool("fd00:1:2:3::/64");
        Set<Ip> taken = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            taken.add(((Answer.Given) six.take(random)).ip());
        }
        assertThat(taken).hasSize(10_000).allMatch(IpPrefix.parse("fd00:1:2:3::/64")::contains);
    }
}
