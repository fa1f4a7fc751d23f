package io.dualstackd.pages.metrics;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.dataplane.rules.iptables.PacketCounters;
import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.report.PodIpFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** MetricSamples to try things with. */
final class MetricSamples {
    static final Instant NOW = Instant.parse("2026-11-21T05:00:00.5Z");

    private MetricSamples() {}

    /** A scrape with everything that can be there. */
    static Scrape of(StatusReport report) {
        return new Scrape(
                report,
                List.of(family(IpFamily.IPV4), family(IpFamily.IPV6)),
                Map.of(IpFamily.IPV4, Duration.ZERO, IpFamily.IPV6, Duration.ofMillis(1500)),
                Map.of(IpFamily.IPV4, new Attempts(120, 3, 1), IpFamily.IPV6, new Attempts(80, 0, 2)),
                Map.of(PacketCounters.INVALID_DROPPED, 4L, PacketCounters.LOCALHOST_NODE_PORTS, 9L),
                Map.of(200, 7L),
                Map.of(200, 3L, 503, 1L),
                5,
                Map.of(IpFamily.IPV4, 0, IpFamily.IPV6, 2),
                Optional.of(new ProcessFigures(
                        1.25,
                        1_795_000_000,
                        3_000_000_000L,
                        80_000_000,
                        20,
                        33,
                        1024,
                        9_000_000,
                        16_000_000,
                        64_000_000,
                        "25.0.1")),
                Optional.of(new ServerFigures(
                        false,
                        Duration.ofSeconds(90),
                        List.of(resource("services", 12, 2, 40)),
                        "10.0.0.1:6443",
                        requests())),
                Optional.of(new PodIpFigures(9, 2, 1, 4, 1)));
    }

    private static ClusterStatus.Followed resource(String name, int objects, long lists, long events) {
        return new ClusterStatus.Followed(
                name,
                true,
                false,
                WireFormat.PROTOBUF,
                objects,
                lists,
                events,
                List.of("an object that cannot be used"));
    }

    private static RequestMeter requests() {
        RequestMeter meter = new RequestMeter();
        meter.answered("GET", 200);
        meter.answered("GET", 200);
        meter.answered("POST", 201);
        meter.took("POST", 26_000_000);
        meter.unanswered("GET");
        return meter;
    }

    private static FamilyMeter family(IpFamily family) {
        FamilyMeter meter = new FamilyMeter(family, NOW.minusSeconds(100), () -> new ChangeMetadata.Counts(1, 1));
        meter.queued(NOW.minusMillis(10), 1_000_000);
        meter.taken();
        meter.arrived(new ChangeMetadata(
                2,
                3,
                4,
                List.of(
                        new ChangeMetadata.Trigger(IpFamily.IPV4, NOW.minusSeconds(2)),
                        new ChangeMetadata.Trigger(IpFamily.IPV4, NOW.plusSeconds(2)),
                        new ChangeMetadata.Trigger(IpFamily.IPV4, NOW.minusSeconds(200)))));
        meter.transaction(60_000);
        meter.passed(3_000_000, false);
        meter.swept(2_000_000);
        meter.inForce(NOW, 4_000_000);
        meter.withoutLocal(new WithoutLocal(1, 2));
        return meter;
    }
}
