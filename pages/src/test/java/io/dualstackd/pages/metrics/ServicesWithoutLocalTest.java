package io.dualstackd.pages.metrics;

import static io.dualstackd.dataplane.model.NodeViewBuilder.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ServicesWithoutLocalTest {
    /** A Service without a local endpoint. */
    private static ServicePlan service(boolean external) {
        ServiceViewBuilder given =
                ServiceViewBuilder.service("svc", "172.30.0.41").internalLocal().nodePort(30001);
        if (external) {
            given.externalLocal();
        }
        return Planner.of(node(IpFamily.IPV4).view())
                .plan(given.endpoints("10.0.0.2", 8080).view());
    }

    @Test
    void sumsFollowEachService() {
        ServicesWithoutLocal services = new ServicesWithoutLocal();
        ServicePlan without = service(true);
        ServiceKey other = new ServiceKey("ns", "other");
        services.put(without.key(), Optional.of(without));
        services.put(other, Optional.of(without));
        assertThat(services.sum()).isEqualTo(new WithoutLocal(2, 2));
        services.put(other, Optional.empty());
        services.put(without.key(), Optional.of(service(false)));
        assertThat(services.sum()).isEqualTo(new WithoutLocal(1, 0));
        services.clear();
        assertThat(services.sum()).isEqualTo(WithoutLocal.NONE);
    }
}
