package io.dualstackd.pages.metrics;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.rules.iptables.PacketCounters;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.report.PodIpFigures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The input of the page {@code /metrics}.
 *
 * @param meters one for each reconciler
 * @param waits how long the oldest change of each reconciler has waited to be in force; zero where none waits
 * @param connections attempts to connect, by family; none in modes that do not count them
 * @param packets counted at named objects of the kernel; none where it has no such objects, or they cannot be read now
 * @param healthz how often {@code /healthz} was answered with which status
 * @param livez the same for {@code /livez}
 * @param dualStackServices Services with both families
 * @param oneSidedServices those of them with ready endpoints of one family only, by the other family
 * @param process this process; empty when the system does not report it
 * @param server empty without an API server
 * @param podIps empty while they are not compared
 */
public record Scrape(
        StatusReport report,
        List<FamilyMeter> meters,
        Map<IpFamily, Duration> waits,
        Map<IpFamily, Attempts> connections,
        Map<PacketCounters, Long> packets,
        Map<Integer, Long> healthz,
        Map<Integer, Long> livez,
        int dualStackServices,
        Map<IpFamily, Integer> oneSidedServices,
        Optional<ProcessFigures> process,
        Optional<ServerFigures> server,
        Optional<PodIpFigures> podIps) {
    public Scrape {
        meters = List.copyOf(meters);
        waits = Map.copyOf(waits);
        connections = Map.copyOf(connections);
        packets = Map.copyOf(packets);
        healthz = Map.copyOf(healthz);
        livez = Map.copyOf(livez);
        oneSidedServices = Map.copyOf(oneSidedServices);
    }

    /** The families of the host; one it does not have does not count as failing. */
    List<StatusReport.Family> families() {
        return report.families().stream()
                .filter(family -> family.phase() != StatusReport.Phase.OFF)
                .toList();
    }

    /** Whether the host has the family. */
    boolean serves(IpFamily family) {
        return families().stream().anyMatch(on -> on.family() == family);
    }

    /** The proxy mode; empty when no family is on. */
    String mode() {
        return families().stream().map(StatusReport.Family::mode).findFirst().orElse("");
    }

    /** The sum over all reconcilers. */
    long sum(ToLongFunction<FamilyMeter> count) {
        return meters.stream().mapToLong(count).sum();
    }
}
