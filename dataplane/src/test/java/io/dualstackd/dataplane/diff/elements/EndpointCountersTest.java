package io.dualstackd.dataplane.diff.elements;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is shown of endpoints whose elements are moved, removed and written anew between two readings. */
final class EndpointCountersTest {
    private static final Bytes CLUSTER_IP = Keys.serviceIp(Ip.parse("10.96.0.1"), Proto.TCP, 80);
    private static final Bytes NODE_PORT = Keys.nodePort(Proto.TCP, 30080);
    private static final Bytes FIRST = endpoint(1);
    private static final Bytes SECOND = endpoint(2);
    private static final ServicePortName PORT = new ServicePortName(new ServiceKey("shop", "web"), "http", Proto.TCP);

    private final EndpointCounters counters = new EndpointCounters(IpFamily.IPV4);
    private EndpointCounters.Reading reading = counters.begin();

    private static Bytes endpoint(int number) {
        return Keys.endpoint(new IpPort(Ip.parse("10.244.0." + number), 8080));
    }

    private EndpointCountersTest slot(Lane lane, Bytes destination, int slot, Bytes endpoint, long packets) {
        byte[] key = Keys.slot(destination, slot).toArray();
        reading.slot(lane, key, key.length, endpoint.toArray(), packets);
        return this;
    }

    private EndpointCountersTest slot(int slot, Bytes endpoint, long packets) {
        return slot(Lane.CLUSTER, CLUSTER_IP, slot, endpoint, packets);
    }

    private Map<Bytes, Long> read(ServicePortName port, Bytes... endpoints) {
        EndpointCounters.Reading now = reading;
        reading = counters.begin();
        return counters.end(port, Set.of(endpoints), now);
    }

    @Test
    void allDestinationsAreAddedUp() {
        slot(0, FIRST, 1).slot(1, SECOND, 2);
        slot(Lane.LOCAL, CLUSTER_IP, 0, FIRST, 4);
        slot(Lane.NODE_PORT, NODE_PORT, 1, FIRST, 8).slot(Lane.LOCAL_NODE_PORT, NODE_PORT, 1, SECOND, 16);
        assertThat(read(PORT, FIRST, SECOND)).isEqualTo(Map.of(FIRST, 13L, SECOND, 18L));
    }

    @Test
    void anEndpointThatMovesToAnotherSlotGoesOn() {
        slot(0, FIRST, 7).slot(1, SECOND, 10);
        read(PORT, FIRST, SECOND);
        slot(0, SECOND, 3);
        assertThat(read(PORT, SECOND)).isEqualTo(Map.of(SECOND, 13L));
        slot(0, SECOND, 4);
        assertThat(read(PORT, SECOND)).isEqualTo(Map.of(SECOND, 14L));
    }

    @Test
    void onePlaceWithLessThanBeforeIsNotHiddenByMoreInAnother() {
        slot(0, FIRST, 5).slot(Lane.NODE_PORT, NODE_PORT, 0, FIRST, 50);
        read(PORT, FIRST);
        slot(0, FIRST, 1).slot(Lane.NODE_PORT, NODE_PORT, 0, FIRST, 60);
        assertThat(read(PORT, FIRST)).isEqualTo(Map.of(FIRST, 66L));
    }

    @Test
    void aRuleOfSessionAffinityThatIsWrittenAnewGoesOn() {
        reading.rule(FIRST, 9);
        read(PORT, FIRST);
        assertThat(read(PORT, FIRST)).as("while it is missing").isEqualTo(Map.of(FIRST, 9L));
        reading.rule(FIRST, 2);
        assertThat(read(PORT, FIRST)).isEqualTo(Map.of(FIRST, 11L));
    }

    @Test
    void anEndpointThatThePortDoesNotHaveIsForgotten() {
        slot(0, FIRST, 7).slot(1, SECOND, 10);
        read(PORT, FIRST, SECOND);
        slot(0, FIRST, 8);
        assertThat(read(PORT, FIRST)).isEqualTo(Map.of(FIRST, 8L));
        slot(0, FIRST, 8).slot(1, SECOND, 1);
        assertThat(read(PORT, FIRST, SECOND)).isEqualTo(Map.of(FIRST, 8L, SECOND, 1L));
    }

    @Test
    void whatIsNotCountedHasNoCount() {
        assertThat(read(PORT, FIRST)).isEmpty();
    }

    @Test
    void portsOfOneServiceAreApart() {
        ServicePortName other = new ServicePortName(PORT.service(), "metrics", Proto.TCP);
        slot(0, FIRST, 7);
        read(PORT, FIRST);
        slot(Lane.CLUSTER, Keys.serviceIp(Ip.parse("10.96.0.1"), Proto.TCP, 81), 0, FIRST, 1);
        assertThat(read(other, FIRST)).isEqualTo(Map.of(FIRST, 1L));
    }

    @Test
    void aServiceThatIsGoneStartsAtZero() {
        slot(0, FIRST, 7);
        read(PORT, FIRST);
        counters.retain(Set.of(PORT.service()));
        slot(0, FIRST, 1);
        assertThat(read(PORT, FIRST)).isEqualTo(Map.of(FIRST, 8L));
        counters.forget(PORT.service());
        slot(0, FIRST, 2);
        assertThat(read(PORT, FIRST)).isEqualTo(Map.of(FIRST, 2L));
        counters.retain(Set.of());
        slot(0, FIRST, 1);
        assertThat(read(PORT, FIRST)).isEqualTo(Map.of(FIRST, 1L));
    }
}
