package io.dualstackd.dataplane.rules.iptables;

import static io.dualstackd.dataplane.model.NodeViewBuilder.node;
import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PortDispatchTest {
    private static final ChainId SERVICES = new ChainId(Table.NAT, "KUBE-SERVICES");

    /** kube-proxy writes both rules, and the first one takes all: an external IP knows no source ranges. */
    @Test
    void anExternalIpThatIsALoadBalancerIpTooIsAnExternalIp() {
        NodeView node = node().view();
        Fragment fragment = ServiceCompiler.compile(
                new ServicePlanner(node)
                        .plan(service("ns/svc", "10.96.0.1")
                                .externalIps("203.0.113.7")
                                .loadBalancerIps("203.0.113.7")
                                .sourceRanges("198.51.100.0/24")
                                .endpoints("10.0.0.3", 80)
                                .view()),
                NodePlanner.plan(node));
        List<Rule> shared = fragment.dispatch().getOrDefault(SERVICES, List.of()).stream()
                .filter(rule -> rule.matches().contains(new Match.Destination(IpPrefix.parse("203.0.113.7/32"), false)))
                .toList();
        assertThat(shared).hasSize(1);
        assertThat(shared.getFirst().target().toString()).contains("KUBE-EXT-");
    }
}
