package io.dualstackd.dataplane.plan;

import static io.dualstackd.dataplane.model.NodeViewBuilder.node;
import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static io.dualstackd.netlink.ip.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.ServicePlan.HealthCheck;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServicePlannerTest {
    private static final NodeView NODE = node(IPV4).addresses("192.168.0.2").view();
    private static final ServicePlanner PLANNER = new ServicePlanner(NODE);

    private static ServiceViewBuilder loadBalancer() {
        return service("svc", "172.30.0.41").nodePort(3001).loadBalancerIps("1.2.3.4", "5.6.7.8");
    }

    /** Columns: policies; endpoints; handling of internal and external traffic; the two gauges of dropped ports. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            plain   | 10.0.0.1 l | SERVE  | SERVE  | 0 | 0
            plain   | 10.0.0.1   | SERVE  | SERVE  | 0 | 0
            plain   | –          | REJECT | REJECT | 0 | 0
            plain   | 10.0.0.1 u | REJECT | REJECT | 0 | 0
            itp     | 10.0.0.1 l | SERVE  | SERVE  | 0 | 0
            etp     | 10.0.0.1 l | SERVE  | SERVE  | 0 | 0
            itp etp | 10.0.0.1 l | SERVE  | SERVE  | 0 | 0
            itp     | 10.0.0.1   | DROP   | SERVE  | 1 | 0
            etp     | 10.0.0.1   | SERVE  | DROP   | 0 | 1
            itp etp | 10.0.0.1   | DROP   | DROP   | 1 | 1
            itp etp | –          | REJECT | REJECT | 0 | 0
            itp etp | 10.0.0.1 T | DROP   | DROP   | 1 | 1
            itp etp | 10.0.0.1 X | REJECT | REJECT | 0 | 0
            """)
    void handlesByPolicyAndEndpoints(
            String policies,
            String endpoints,
            Handling internal,
            Handling external,
            int gaugeInternal,
            int gaugeExternal) {
        ServiceViewBuilder given = loadBalancer().endpoints(endpoints, 8080);
        if (policies.contains("itp")) {
            given.internalLocal();
        }
        if (policies.contains("etp")) {
            given.externalLocal();
        }
        ServicePlan plan = PLANNER.plan(given.view());
        assertThat(plan.ports()).singleElement().satisfies(port -> {
            assertThat(port.internal()).isEqualTo(internal);
            assertThat(port.external()).isEqualTo(external);
        });
        assertThat(plan.withoutLocal()).isEqualTo(new WithoutLocal(gaugeInternal, gaugeExternal));
    }

    @Test
    void withoutExternalDestinationsNothingExternalIsCountedAsDropped() {
        ServicePlan plan = PLANNER.plan(service("svc", "172.30.0.41")
                .externalLocal()
                .endpoints("10.0.0.1", 8080)
                .view());
        assertThat(plan.withoutLocal()).isEqualTo(WithoutLocal.NONE);
        assertThat(plan.ports().getFirst().hasExternalPath()).isFalse();
    }

    @ParameterizedTest(name = "{0} on a node with {1}")
    @CsvSource(delimiter = '|', textBlock = """
            192.168.0.0/24 203.0.113.0/25 | 192.168.0.2 | 192.168.0.0/24 203.0.113.0/25 1.2.3.4/32 5.6.7.8/32
            203.0.113.0/25                | 192.168.0.2 | 203.0.113.0/25
            203.0.113.0/25                | –           | 203.0.113.0/25
            192.168.0.0/24 1.2.3.4/32     | 192.168.0.2 | 192.168.0.0/24 1.2.3.4/32 5.6.7.8/32
            203.0.113.0/25 0.0.0.0/0      | 192.168.0.2 | –
            –                             | 192.168.0.2 | –
            """)
    void allowsTheLoadBalancerAddressesWhereTheNodeIsAllowed(String ranges, String nodeIp, String allowed) {
        ServiceViewBuilder given = loadBalancer().endpoints("10.0.0.1", 8080);
        if (!ranges.equals("–")) {
            given.sourceRanges(ranges.split(" "));
        }
        NodeView view = nodeIp.equals("–")
                ? node(IPV4).addresses("192.168.0.2").nodeIp(Optional.empty()).view()
                : node(IPV4).addresses(nodeIp).view();
        PortPlan port = new ServicePlanner(view).plan(given.view()).ports().getFirst();
        assertThat(
                        port.allowedSources().isEmpty()
                                ? "–"
                                : String.join(
                                        " ",
                                        port.allowedSources().stream()
                                                .map(Object::toString)
                                                .toList()))
                .isEqualTo(allowed);
    }

    @Test
    void sourceRangesWithoutLoadBalancerAddressRestrictNothing() {
        ServiceViewBuilder given = service("svc", "172.30.0.41").nodePort(3001).sourceRanges("203.0.113.0/25");
        assertThat(PLANNER.plan(given.view()).ports().getFirst().allowedSources())
                .isEmpty();
    }

    @Test
    void healthCheckCountsDistinctLocalReadyAddressesOfTheWholeService() {
        ServiceViewBuilder given = loadBalancer().externalLocal().healthCheckNodePort(32000);
        PortView http = given.endpoints("10.0.0.1 l, 10.0.0.2 l, 10.0.0.3, 10.0.0.4 T l", 8080)
                .portView();
        PortView https = loadBalancer()
                .healthCheckNodePort(32000)
                .endpoints("10.0.0.1 l, 10.0.0.5 u l", 8443)
                .portView();
        ServiceView both = new ServiceView(given.view().key(), IPV4, List.of(http, https));
        assertThat(PLANNER.plan(both).health()).isEqualTo(new HealthCheck(32000, 2));
    }

    @Test
    void healthCheckOfLocalEndpointsThatOnlyTerminateCountsNone() {
        ServiceViewBuilder given =
                loadBalancer().externalLocal().healthCheckNodePort(32000).endpoints("10.0.0.1 T l, 10.0.0.2", 8080);
        ServicePlan plan = PLANNER.plan(given.view());
        assertThat(plan.health()).isEqualTo(new HealthCheck(32000, 0));
        assertThat(plan.ports().getFirst().local()).hasSize(1);
    }

    @Test
    void withoutHealthCheckNodePortThereIsNothingToAnswer() {
        assertThat(PLANNER.plan(loadBalancer().endpoints("10.0.0.1 l", 8080).view())
                        .health())
                .isEqualTo(HealthCheck.NONE);
    }
}
