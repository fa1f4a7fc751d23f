package io.dualstackd.dataplane.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsKey;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ServerCountersTest {
    private static final IpvsKey.At WEB = new IpvsKey.At(Ip.parse("10.96.0.10"), Proto.TCP, 80);
    private static final Ip NODE = Ip.parse("192.0.2.10");

    private final ServerCounters counters = new ServerCounters();

    @Test
    void countsContinueAfterReset() {
        read(Map.of(WEB, 5L));
        read(Map.of(WEB, 2L));
        assertThat(counters.connections(WEB)).isEqualTo(7);
        read(Map.of());
        assertThat(counters.connections(WEB))
                .as("while another program has it removed")
                .isEqualTo(7);
        read(Map.of(WEB, 1L));
        assertThat(counters.connections(WEB)).isEqualTo(8);
    }

    @Test
    void theNextOwnerOfAnAddressBeginsAtZero() {
        read(Map.of(WEB, 5L));
        counters.removed(WEB);
        read(Map.of(WEB, 1L));
        assertThat(counters.connections(WEB)).isEqualTo(1);
        assertThat(counters.total()).isEqualTo(6);
    }

    @Test
    void aServerThatNoServiceWantsLosesItsCountAlsoWhileItIsMissing() {
        read(Map.of(WEB, 5L));
        read(Map.of());
        counters.retain(Set.of());
        read(Map.of(WEB, 1L));
        assertThat(counters.connections(WEB)).isEqualTo(1);
        counters.retain(Set.of(WEB));
        assertThat(counters.connections(WEB)).isEqualTo(1);
        assertThat(counters.total()).isEqualTo(6);
    }

    @Test
    void aReadingThatBeganBeforeAServerWentIsNotItsNextOwners() {
        counters.begin();
        counters.removed(WEB);
        counters.end(Map.of(WEB, 5L), Set.of());
        assertThat(counters.connections(WEB)).isZero();
        read(Map.of(WEB, 1L));
        assertThat(counters.connections(WEB)).isEqualTo(1);
    }

    @Test
    void nodePortsAreThoseOnAddressesOfTheNode() {
        Ip other = Ip.parse("192.0.2.11");
        counters.begin();
        counters.end(
                Map.of(
                        new IpvsKey.At(NODE, Proto.TCP, 30080), 3L,
                        new IpvsKey.At(other, Proto.TCP, 30080), 4L,
                        new IpvsKey.At(NODE, Proto.UDP, 30080), 100L,
                        new IpvsKey.At(WEB.address(), Proto.TCP, 30080), 1000L),
                Set.of(WEB.address()));
        assertThat(counters.nodePort(Proto.TCP, 30080)).isEqualTo(7);
    }

    @Test
    void aReadingThatFailsChangesNothing() {
        read(Map.of(WEB, 5L));
        counters.begin();
        counters.abandon();
        assertThat(counters.connections(WEB)).isEqualTo(5);
        counters.removed(WEB);
        read(Map.of(WEB, 6L));
        assertThat(counters.connections(WEB)).isEqualTo(6);
    }

    private void read(Map<IpvsKey.At, Long> connections) {
        counters.begin();
        counters.end(connections, Set.of());
    }
}
