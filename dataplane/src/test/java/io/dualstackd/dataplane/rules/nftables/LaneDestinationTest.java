package io.dualstackd.dataplane.rules.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A port's destinations are those for which its elements are compiled. */
final class LaneDestinationTest {
    private static ServiceViewBuilder service(String address) {
        boolean v4 = address.contains(".");
        return ServiceViewBuilder.service("web", address)
                .nodePort(30080)
                .externalIps(v4 ? "203.0.113.1" : "2001:db8::1")
                .loadBalancerIps(v4 ? "203.0.113.2" : "2001:db8::2")
                .endpoints(v4 ? "10.244.0.1 l, 10.244.1.1" : "fd00:244::1 l, fd00:244:1::1", 8080);
    }

    @ParameterizedTest
    @CsvSource({"10.96.0.1", "fd00:96::1"})
    void asTheCompilerHasThem(String address) {
        IpFamily family = Ip.parse(address).family();
        for (ServiceViewBuilder service : List.of(
                ServiceViewBuilder.service("web", address).endpoints(address, 8080),
                service(address),
                service(address).externalLocal(),
                service(address).internalLocal())) {
            ServiceElements elements = ElementCompiler.compile(
                    new ServicePlanner(NodeViewBuilder.node(family).view()).plan(service.view()));
            assertThat(LaneDestination.of(service.servicePort()))
                    .containsExactlyInAnyOrderElementsOf(elements.spreads().stream()
                            .map(spread -> new LaneDestination(spread.lane(), spread.destination()))
                            .toList());
            ServiceElements sticky = ElementCompiler.compile(
                    new ServicePlanner(NodeViewBuilder.node(family).view())
                            .plan(service.affinity(60).view()));
            assertThat(LaneDestination.of(service.servicePort()))
                    .containsExactlyInAnyOrderElementsOf(sticky.sticky().stream()
                            .flatMap(list -> list.destinations().stream())
                            .map(entry -> new LaneDestination(entry.lane(), entry.destination()))
                            .toList());
        }
    }
}
