package io.dualstackd.explain.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.explain.trace.TracedPacket.Fate;
import io.dualstackd.explain.trace.TracedPacket.TraceEnd;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TraceDifferenceTest {
    private static final IpPort ENDPOINT = new IpPort(Ip.parse("10.244.0.12"), 8080);

    private static PacketFate forwarded(boolean masqueraded) {
        return new PacketFate.Forwarded(
                new ServicePortName(new ServiceKey("demo", "web"), "http", Proto.TCP),
                new PacketFate.Reason("ClusterIP", "", !masqueraded, ""),
                List.of(new PacketFate.Hop(new Backend(ENDPOINT, false), masqueraded)));
    }

    private static TracedPacket sent(String sourceAtTheEnd, boolean masquerade) {
        return new TracedPacket(
                Instant.EPOCH,
                "",
                new PacketHeader(new IpPort(Ip.parse("192.0.2.10"), 44194), new IpPort(Ip.parse("10.96.0.10"), 80)),
                new PacketHeader(new IpPort(Ip.parse(sourceAtTheEnd), 44194), ENDPOINT),
                List.of(),
                masquerade,
                false,
                new TraceEnd(Fate.SENT, "eth0"));
    }

    /** The kernel's masquerading leaves a packet the address of the interface, if it had it before. */
    @Test
    void masqueradingThatChangesNoAddressIsAsPlanned() {
        assertThat(TraceDifference.of(forwarded(true), sent("192.0.2.10", true)))
                .isEmpty();
    }

    @Test
    void theSourceShouldBeMasqueraded() {
        assertThat(TraceDifference.of(forwarded(true), sent("192.0.2.11", true)))
                .isEmpty();
        assertThat(TraceDifference.of(forwarded(true), sent("192.0.2.10", false)))
                .contains("its source should be masqueraded");
    }

    @Test
    void theSourceShouldBeKept() {
        assertThat(TraceDifference.of(forwarded(false), sent("192.0.2.10", true)))
                .isEmpty();
        assertThat(TraceDifference.of(forwarded(false), sent("192.0.2.11", false)))
                .contains("its source should be kept");
    }

    /** A flow without answers is new to the rules, although the kernel knows it: they may refuse its later packets. */
    @Test
    void aPacketOfAKnownConnectionMayBeRefusedAsPlanned() {
        ServicePortName dns = new ServicePortName(new ServiceKey("demo", "dns"), "", Proto.UDP);
        assertThat(TraceDifference.of(
                        new PacketFate.Rejected(dns, "no endpoint serves anywhere"), known(Fate.REJECTED)))
                .isEmpty();
        assertThat(TraceDifference.of(new PacketFate.Dropped(Optional.of(dns), ""), known(Fate.DROPPED)))
                .isEmpty();
        assertThat(TraceDifference.of(PacketFate.NOT_OURS, known(Fate.DROPPED))).isEmpty();
        assertThat(TraceDifference.of(forwarded(false), known(Fate.DROPPED))).contains("it should pass");
        assertThat(TraceDifference.of(new PacketFate.Rejected(dns, "gone"), known(Fate.SENT)))
                .isEmpty();
    }

    private static TracedPacket known(Fate fate) {
        TracedPacket sent = sent("192.0.2.10", false);
        return new TracedPacket(
                sent.since(),
                sent.in(),
                sent.first(),
                sent.first(),
                sent.steps(),
                false,
                true,
                new TraceEnd(fate, "ip filter FORWARD"));
    }
}
