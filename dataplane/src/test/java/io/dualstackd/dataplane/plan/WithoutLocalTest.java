package io.dualstackd.dataplane.plan;

import static io.dualstackd.dataplane.model.NodeViewBuilder.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.netlink.ip.IpFamily;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WithoutLocalTest {
    private static ServicePlan service(boolean internal, boolean external, boolean nodePort, String endpoints) {
        ServiceViewBuilder given = ServiceViewBuilder.service("svc", "172.30.0.41");
        if (internal) {
            given.internalLocal();
        }
        if (external) {
            given.externalLocal();
        }
        if (nodePort) {
            given.nodePort(30001);
        }
        return Planner.of(node(IpFamily.IPV4).view())
                .plan((endpoints.isEmpty() ? given : given.endpoints(endpoints, 8080)).view());
    }

    /** The vectors of kube-proxy's gauges. */
    @ParameterizedTest(name = "{0} with {1}")
    @CsvSource(delimiter = '|', textBlock = """
            internal | 10.0.0.1 l, 10.0.0.2 | 0 | 0
            external | 10.0.0.1 l, 10.0.0.2 | 0 | 0
            both     | 10.0.0.1 l, 10.0.0.2 | 0 | 0
            internal | 10.0.0.2             | 1 | 0
            external | 10.0.0.2             | 0 | 1
            both     | 10.0.0.2             | 1 | 1
            both     | ''                   | 0 | 0
            """)
    void vectors(String local, String endpoints, int internal, int external) {
        assertThat(service(!local.equals("external"), !local.equals("internal"), true, endpoints)
                        .withoutLocal())
                .isEqualTo(new WithoutLocal(internal, external));
    }
}
