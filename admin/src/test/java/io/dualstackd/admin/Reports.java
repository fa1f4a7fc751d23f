package io.dualstackd.admin;

import io.dualstackd.dns.DnsFigures;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
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

/** Sample status reports. */
public final class Reports {
    private static final Instant NOW = StatusReportBuilder.NOW;

    private static final List<StatusReport.OwnAddress> ADDRESSES = List.of(
            new StatusReport.OwnAddress(
                    "InternalIP", "10.0.0.1", "ipv4: eth0 has the IPv4 default route via 10.0.0.254, metric 100"),
            new StatusReport.OwnAddress("Hostname", "node-1", "the host's name"));

    private Reports() {}

    private static StatusReport.Family ready(IpFamily family) {
        return FamilyBuilder.family(family).build();
    }

    /** All is well. */
    public static StatusReport healthy() {
        return report(ready(IpFamily.IPV4), ready(IpFamily.IPV6)).build();
    }

    /** The same in nftables mode. */
    public static StatusReport nftables() {
        return report(
                        FamilyBuilder.family(IpFamily.IPV4).nftables().build(),
                        FamilyBuilder.family(IpFamily.IPV6).nftables().build())
                .build();
    }

    /** IPv6 is refused by the kernel and a manifest is wrong. */
    public static StatusReport failing() {
        StatusReport.Family v6 = FamilyBuilder.family(IpFamily.IPV6)
                .refused(
                        new StatusReport.Failure(
                                NOW.minusSeconds(75),
                                Optional.of(3),
                                "add chain ip6 nat KUBE-SERVICES",
                                "EPERM (Operation not permitted)",
                                "read the kernel again and retry in 5 s"),
                        3)
                .contest(new StatusReport.Contest(
                        "kube-proxy",
                        1234,
                        "rules in ip6 nat KUBE-SERVICES",
                        NOW.minusSeconds(75),
                        3,
                        Duration.ofSeconds(8)))
                .build();
        Problem problem = new Problem(
                Problem.Severity.ERROR,
                new Place.InFile("web.yaml", 2, 14, "spec.ports[0].port"),
                "Service shop/web",
                "70000",
                "must be 1 to 65535");
        return report(ready(IpFamily.IPV4), v6)
                .problems(List.of(problem))
                .closedHealthPorts(List.of("*:30000 [shop/web]: Address already in use"))
                .addresses(new StatusReport.OwnAddresses(
                        ADDRESSES, List.of("changes may go unnoticed: no buffer space"), List.of()))
                .runtime(silent())
                .ledger(ledger())
                .dns(dns())
                .build();
    }

    /** A host without IPv6. */
    public static StatusReport singleStack() {
        return report(ready(IpFamily.IPV4), StatusReport.Family.off(IpFamily.IPV6))
                .build();
    }

    private static StatusReport.ContainerRuntime silent() {
        return new StatusReport.ContainerRuntime(
                new RuntimeReport(
                        "unix:///run/containerd/containerd.sock",
                        Optional.of(new RuntimeVersion("containerd", "1.7.24", "v1")),
                        Optional.empty(),
                        Optional.of(NOW.minusSeconds(60)),
                        Optional.of(new RuntimeReport.Outage(NOW.minusSeconds(59), "connection refused")),
                        EventFlow.BROKEN,
                        false),
                3,
                2,
                new StatusReport.PodFamilies(2, 1, 1),
                1,
                1);
    }

    /** An address that cannot be had, and resolvers that do not answer. */
    private static DnsReport dns() {
        return new DnsReport(
                "cluster.local",
                List.of(
                        new DnsReport.Listener("10.0.0.1:10053", Optional.empty()),
                        new DnsReport.Listener("169.254.20.10:53", Optional.of("no interface has the address"))),
                List.of(Ip.parse("10.96.0.10"), Ip.parse("fd00:96::a")),
                List.of("192.0.2.1:53"),
                List.of(),
                Optional.of(new DnsFigures(
                        7,
                        2,
                        1,
                        3,
                        1,
                        4,
                        2,
                        1,
                        1,
                        5,
                        1,
                        Map.of("NOERROR", 6L, "NXDOMAIN", 1L),
                        0,
                        12,
                        2,
                        640,
                        1,
                        true,
                        1)));
    }

    private static StatusReportBuilder report(StatusReport.Family... families) {
        return StatusReportBuilder.report()
                .families(List.of(families))
                .addresses(new StatusReport.OwnAddresses(ADDRESSES, List.of(), List.of()))
                .components(alive(Component.DATAPLANE_IPV4), alive(Component.NAMES), alive(Component.MANIFESTS));
    }

    private static ComponentState alive(Component component) {
        return new ComponentState(component, Duration.ofMillis(400), false, 0, Optional.empty());
    }

    private static LedgerFigures ledger() {
        return new LedgerFigures(
                List.of(
                        new AddressPool.Fill(IpPrefix.parse("10.96.0.0/24"), true, 3, 251),
                        new AddressPool.Fill(IpPrefix.parse("fd00:96::/64"), true, 2, -3)),
                5,
                2_763,
                Map.of(
                        new LedgerFigures.AllocationRequest("10.96.0.0/24", false, true), 4L,
                        new LedgerFigures.AllocationRequest("", true, false), 1L),
                Map.of(new LedgerFigures.AllocationRequest("", true, true), 2L));
    }
}
