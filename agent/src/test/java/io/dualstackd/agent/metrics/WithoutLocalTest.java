package io.dualstackd.agent.metrics;

import static io.dualstackd.dataplane.model.NodeGiven.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceGiven;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WithoutLocalTest {
    private static final List<String> ENDPOINTS =
            List.of("10.0.0.1 l", "10.0.0.2", "10.0.0.3 T l", "10.0.0.4 T", "10.0.0.5 u l", "10.0.0.6 u");

    private static ServiceView service(boolean internal, boolean external, boolean nodePort, String endpoints) {
        ServiceGiven given = ServiceGiven.service("svc", "172.30.0.41");
        if (internal) {
            given.internalLocal();
        }
        if (external) {
            given.externalLocal();
        }
        if (nodePort) {
            given.nodePort(30001);
        }
        return (endpoints.isEmpty() ? given : given.endpoints(endpoints, 8080)).view();
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
        assertThat(WithoutLocal.of(service(!local.equals("external"), !local.equals("internal"), true, endpoints)))
                .isEqualTo(new WithoutLocal(internal, external));
    }

    @Test
    void isAlwaysWhatThePlanSays() {
        ServicePlanner planner = new ServicePlanner(node(IpFamily.IPV4).view());
        for (int flags = 0; flags < 8; flags++) {
            for (int set = 0; set < 1 << ENDPOINTS.size(); set++) {
                List<String> chosen = new ArrayList<>();
                for (int i = 0; i < ENDPOINTS.size(); i++) {
                    if ((set >> i & 1) == 1) {
                        chosen.add(ENDPOINTS.get(i));
                    }
                }
                ServiceView view =
                        service((flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, String.join(", ", chosen));
                ServicePlan plan = planner.plan(view);
                assertThat(WithoutLocal.of(view))
                        .as("flags %d, endpoints %s", flags, chosen)
                        .isEqualTo(new WithoutLocal(plan.internalWithoutLocal(), plan.externalWithoutLocal()));
            }
        }
    }

    @Test
    void sumsFollowEachService() {
        ServicesWithoutLocal services = new ServicesWithoutLocal();
        ServiceView without = service(true, true, true, "10.0.0.2");
        ServiceKey other = new ServiceKey("ns", "other");
        services.put(without.key(), Optional.of(without));
        services.put(other, Optional.of(without));
        assertThat(services.sum()).isEqualTo(new WithoutLocal(2, 2));
        services.put(other, Optional.empty());
        services.put(without.key(), Optional.of(service(true, false, true, "10.0.0.2")));
        assertThat(services.sum()).isEqualTo(new WithoutLocal(1, 0));
        services.clear();
        assertThat(services.sum()).isEqualTo(WithoutLocal.NONE);
    }
}
