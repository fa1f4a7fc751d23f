package io.dualstackd.agent.admin;

import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.ledger.LedgerFigures;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports to try things with. */
public final class Reports {
    private static final Instant NOW = Instant.parse("2026-11-21T05:00:00.5Z");

    private Reports() {}

    private static StatusReport.Family ready(IpFamily family) {
        return ready(family, "iptables", "nf_tables");
    }

    private static StatusReport.Family ready(IpFamily family, String mode, String variant) {
        return new StatusReport.Family(
                family,
                mode,
                variant,
                StatusReport.Phase.READY,
                new StatusReport.Objects(
                        12,
                        14,
                        120,
                        150,
                        612,
                        List.of(new StatusReport.Table("nat", 500, 3), new StatusReport.Table("filter", 112, 0)),
                        new WithoutLocal(0, family == IpFamily.IPV6 ? 2 : 0)),
                new StatusReport.Totals(7, 0, 1, 900, 123_456, 4),
                Optional.of(
                        new StatusReport.Transaction(NOW.minusSeconds(3), Duration.ofNanos(2_100_000), 12, 3_420, 17)),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new StatusReport.Latency(256, Duration.ofNanos(900_000), Duration.ofNanos(4_200_000))));
    }

    /** All is well. */
    public static StatusReport healthy() {
        return report(List.of(ready(IpFamily.IPV4), ready(IpFamily.IPV6)), List.of());
    }

    /** The same in nftables mode. */
    public static StatusReport nftables() {
        return report(List.of(ready(IpFamily.IPV4, "nftables", ""), ready(IpFamily.IPV6, "nftables", "")), List.of());
    }

    /** IPv6 is refused by the kernel and a manifest is wrong. */
    public static StatusReport failing() {
        StatusReport.Family v6 = new StatusReport.Family(
                IpFamily.IPV6,
                "iptables",
                "nf_tables",
                StatusReport.Phase.RETRYING,
                StatusReport.Objects.NONE,
                new StatusReport.Totals(0, 3, 0, 0, 0, 0),
                Optional.empty(),
                Optional.of(new StatusReport.Trouble(
                        NOW.minusSeconds(75),
                        3,
                        "add chain ip6 nat KUBE-SERVICES",
                        "EPERM (Operation not permitted)",
                        "read the kernel again and retry in 5 s")),
                Optional.of(new StatusReport.Contest(
                        "kube-proxy",
                        1234,
                        "rules in ip6 nat KUBE-SERVICES",
                        NOW.minusSeconds(75),
                        3,
                        Duration.ofSeconds(8))),
                Optional.empty());
        Problem problem = new Problem(
                Problem.Severity.ERROR,
                new Place.InFile("web.yaml", 2, 14, "spec.ports[0].port"),
                "Service shop/web",
                "70000",
                "must be 1 to 65535");
        return report(List.of(ready(IpFamily.IPV4), v6), List.of(problem));
    }

    /** A host without IPv6. */
    public static StatusReport singleStack() {
        return report(List.of(ready(IpFamily.IPV4), StatusReport.Family.off(IpFamily.IPV6)), List.of());
    }

    private static StatusReport.ContainerRuntime silent() {
        return new StatusReport.ContainerRuntime(
                new RuntimeReport(
                        "unix:///run/containerd/containerd.sock",
                        Optional.of(new RuntimeVersion("containerd", "1.7.24", "v1")),
                        Optional.empty(),
                        Optional.of(NOW.minusSeconds(60)),
                        Optional.of(new RuntimeReport.Outage(NOW.minusSeconds(59), "nobody listens")),
                        EventFlow.BROKEN,
                        false),
                3,
                2,
                new StatusReport.PodFamilies(2, 1, 1),
                1,
                1);
    }

    private static StatusReport report(List<StatusReport.Family> families, List<Problem> problems) {
        return new StatusReport(
                "0.1.0",
                "node-1",
                4711,
                NOW.minus(Duration.ofMinutes(192)),
                NOW,
                new StatusReport.Source("manifests", "/etc/dualstackd/manifests", Optional.empty(), true, 12, 24, 1),
                families,
                problems,
                problems.isEmpty() ? List.of() : List.of("*:30000 [shop/web]: Address already in use"),
                new StatusReport.OwnAddresses(
                        List.of(
                                new StatusReport.OwnAddress(
                                        "InternalIP",
                                        "10.0.0.1",
                                        "ipv4: eth0 has the IPv4 default route via 10.0.0.254, metric 100"),
                                new StatusReport.OwnAddress("Hostname", "node-1", "the host's name")),
                        problems.isEmpty() ? List.of() : List.of("changes may go unseen: no buffer space")),
                problems.isEmpty() ? Optional.empty() : Optional.of(silent()),
                problems.isEmpty() ? Optional.empty() : Optional.of(ledger()),
                StatusReport.Setup.NONE,
                List.of(alive(Component.DATAPLANE_IPV4), alive(Component.NAMES), alive(Component.MANIFESTS)));
    }

    private static ComponentState alive(Component component) {
        return new ComponentState(component, Duration.ofMillis(400), false, 0, Optional.empty());
    }

    /** The same report with other components. */
    public static StatusReport with(StatusReport report, ComponentState... components) {
        return new StatusReport(
                report.version(),
                report.node(),
                report.pid(),
                report.startedAt(),
                report.madeAt(),
                report.source(),
                report.families(),
                report.problems(),
                report.closedHealthPorts(),
                report.addresses(),
                report.runtime(),
                report.ledger(),
                report.setup(),
                List.of(components));
    }

    /** The same report with another source. */
    public static StatusReport with(StatusReport report, StatusReport.Source source) {
        return new StatusReport(
                report.version(),
                report.node(),
                report.pid(),
                report.startedAt(),
                report.madeAt(),
                source,
                report.families(),
                report.problems(),
                report.closedHealthPorts(),
                report.addresses(),
                report.runtime(),
                report.ledger(),
                report.setup(),
                report.components());
    }

    /** The same report with an API server as the source, which was last heard of so long ago. */
    public static StatusReport ofCluster(StatusReport report, Duration ago) {
        return with(
                report,
                new StatusReport.Source(
                        "cluster",
                        "https://10.0.0.1:6443",
                        Optional.empty(),
                        true,
                        12,
                        24,
                        1,
                        Optional.empty(),
                        Optional.of(ago)));
    }

    private static LedgerFigures ledger() {
        return new LedgerFigures(
                List.of(
                        new AddressPool.Fill(IpPrefix.parse("10.96.0.0/24"), true, 3, 251),
                        new AddressPool.Fill(IpPrefix.parse("fd00:96::/64"), true, 2, -3)),
                5,
                2_763,
                Map.of(
                        new LedgerFigures.Asked("10.96.0.0/24", false, true), 4L,
                        new LedgerFigures.Asked("", true, false), 1L),
                Map.of(new LedgerFigures.Asked("", true, true), 2L));
    }
}
