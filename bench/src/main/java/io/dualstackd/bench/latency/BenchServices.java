package io.dualstackd.bench.latency;

import io.dualstackd.bench.measure.Nodes;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * ClusterIP Services with a TCP and a UDP port, whose endpoints are the pods of a {@link Path}.
 *
 * @param counts how many different numbers of endpoints there are: with one, all Services have ten endpoints, else 1 to {@code counts}
 */
record BenchServices(Planner planner, int services, int counts) implements ServicePlans {
    static final int PORT = 80;
    static final int TARGET_PORT = 8080;

    private static final int USUAL = 10;

    @Override
    public Optional<ServicePlan> find(ServiceKey key) {
        throw new UnsupportedOperationException("nothing changes here");
    }

    @Override
    public void forEach(Consumer<ServicePlan> each) {
        for (int n = 0; n < services; n++) {
            ServiceKey key = new ServiceKey("bench", "service-" + n);
            List<Endpoint> endpoints = endpoints(n);
            each.accept(planner.plan(new ServiceView(
                    key,
                    family(),
                    List.of(
                            new PortView(port(key, n, Proto.TCP), endpoints),
                            new PortView(port(key, n, Proto.UDP), endpoints)))));
        }
    }

    private IpFamily family() {
        return planner.node().family();
    }

    private List<Endpoint> endpoints(int n) {
        int count = counts == 1 ? USUAL : 1 + n % counts;
        List<Endpoint> endpoints = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            IpPort address = new IpPort(Nodes.podIp(family(), (n + i) % Path.PODS), TARGET_PORT);
            endpoints.add(Endpoint.ready(address));
        }
        return endpoints;
    }

    private ServicePort port(ServiceKey key, int n, Proto protocol) {
        return ServicePort.onClusterIp(
                new ServicePortName(key, protocol.toString(), protocol), Nodes.serviceIp(family(), n), PORT);
    }
}
