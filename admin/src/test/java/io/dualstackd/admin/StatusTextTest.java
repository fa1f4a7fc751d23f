package io.dualstackd.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StatusTextTest {
    @Test
    void healthyStatus() {
        assertThat(StatusText.of(Reports.healthy())).isEqualTo("""
                        dualstackd 0.1.0 on node-1: healthy
                        running    3 h 12 min, since 2026-11-21T01:48:00Z, pid 4711
                        source     manifests /etc/dualstackd/manifests: 12 services, 24 slices, 1 node
                        addresses  InternalIP 10.0.0.1 (ipv4: eth0 has the IPv4 default route via 10.0.0.254, metric 100)
                                   Hostname node-1 (the host's name)

                              MODE                  STATE  SERVICES  PORTS  ENDPOINTS  CHAINS  RULES  LAST CHANGE
                        IPv4  iptables (nf_tables)  ready        12     14        120     150    612  3 s ago: 17 steps in 2.1 ms, 12 messages, 3.4 kB
                        IPv6  iptables (nf_tables)  ready        12     14        120     150    612  3 s ago: 17 steps in 2.1 ms, 12 messages, 3.4 kB
                        IPv4 changes in force after 0.9 ms (median), 4.2 ms (p99 of the last 256)
                        IPv4 stale flows deleted: 4
                        IPv6 changes in force after 0.9 ms (median), 4.2 ms (p99 of the last 256)
                        IPv6 nothing local here: 2 external ports drop what reaches this node: the policy is Local, and no endpoint is on this node ('dualstackd describe service -A' says which)
                        IPv6 stale flows deleted: 4
                        """);
    }

    @Test
    void failuresOfEachComponent() {
        assertThat(StatusText.of(Reports.failing()))
                .startsWith("dualstackd 0.1.0 on node-1: FAILED\n")
                .contains("""
                        runtime    containerd 1.7.24 at unix:///run/containerd/containerd.sock: NOT ANSWERING
                        pods       3 pods, 2 alive; events interrupted, listed every 1 s; failovers 1, hidden endpoints 1
                                   no answer for 59 s, pods stay as they were: connection refused
                        """)
                .contains("""
                        dns        cluster.local on 10.0.0.1:10053; pods ask 10.96.0.10, fd00:96::a
                                   9 questions, 4 forwarded to other resolvers (192.0.2.1:53), 2 remembered, 3 of clients that are not answered
                                   DNS questions are not received on 169.254.20.10:53: no interface has the address
                                   none of the resolvers for other names answers: 192.0.2.1:53
                        """)
                .contains("IPv6  iptables (nf_tables)  retrying         0      0          0       0      0  none yet\n")
                .endsWith("""

                        IPv6 is contested by kube-proxy (1234) for 1 min 15 s:
                          what  rules in ip6 nat KUBE-SERVICES
                          next  repair at most every 8 s, 3 times so far

                        IPv6 is failing for 1 min 15 s, 3 attempts:
                          what  add chain ip6 nat KUBE-SERVICES
                          error EPERM (Operation not permitted)
                          next  read the kernel again and retry in 5 s

                        ports for health checks and metrics that cannot be opened, tried again:
                          *:30000 [shop/web]: Address already in use

                        1 problem in manifests:
                          error   web.yaml:14 (document 2): spec.ports[0].port: "70000": must be 1 to 65535 (Service shop/web)
                        """);
    }

    @Test
    void whatIsMissingHasATime() {
        StatusReport.Family family = FamilyBuilder.family(IpFamily.IPV4)
                .incomplete(new StatusReport.Failure(
                        StatusReportBuilder.NOW.minusSeconds(75),
                        Optional.empty(),
                        "program every service (1 left out)",
                        "shop/a: too long",
                        "the others are in force"))
                .build();
        StatusReport report =
                StatusReportBuilder.report().families(List.of(family)).build();
        assertThat(StatusText.of(report)).endsWith("""

                        IPv4 is incomplete for 1 min 15 s, since 2026-11-21T04:58:45Z:
                          what  program every service (1 left out)
                          error shop/a: too long
                          next  the others are in force
                        """);
        assertThat(JsonPrint.indented(StatusJson.of(report)))
                .contains("\"since\" : \"2026-11-21T04:58:45.500Z\"")
                .doesNotContain("\"attempts\"");
    }

    @Test
    void aMissingFamilyIsNoIllness() {
        assertThat(Reports.singleStack().isInForce()).isTrue();
        assertThat(StatusText.of(Reports.singleStack())).contains("IPv6  -").contains("this host has no IPv6\n");
    }
}
