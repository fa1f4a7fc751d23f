package io.dualstackd.bench.scale;

import io.dualstackd.bench.measure.Nodes;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A made-up cluster of one family: ClusterIP Services of one TCP port; no two endpoints share an address.
 *
 * @param services numbered from 0
 * @param endpoints of each Service but the first, which has one more
 */
record Cluster(IpFamily family, int services, int endpoints) {
    private static final String PREFIX = "service-";
    /** The number of addresses of a Service: its endpoints, and as many replacements. */
    private static final int ADDRESSES = 128;

    NodeView node() {
        return Nodes.view(family);
    }

    /**
     * The initial shape of a Service. Number 0 has one endpoint more than the others, so that this number of endpoints is not new to the
     * rules.
     */
    ServiceShape usual(int n) {
        return ServiceShape.with(n == 0 ? endpoints + 1 : endpoints);
    }

    static ServiceKey key(int n) {
        return new ServiceKey("bench", PREFIX + n);
    }

    static int number(ServiceKey key) {
        return Integer.parseInt(key.name().substring(PREFIX.length()));
    }

    /** Empty when the Service does not exist. */
    Optional<ServiceView> view(int n, ServiceShape serviceShape) {
        if (serviceShape.equals(ServiceShape.GONE)) {
            return Optional.empty();
        }
        List<Endpoint> list = new ArrayList<>(serviceShape.endpoints());
        for (int i = 0; i < serviceShape.endpoints(); i++) {
            list.add(endpoint(n, serviceShape.isReplaced(i) ? ADDRESSES / 2 + i : i));
        }
        return Optional.of(new ServiceView(key(n), family, List.of(new PortView(port(n), list))));
    }

    private ServicePort port(int n) {
        return ServicePort.onClusterIp(new ServicePortName(key(n), "http", Proto.TCP), Nodes.serviceIp(family, n), 80);
    }

    private Endpoint endpoint(int service, int index) {
        Ip ip = Nodes.podIp(family, service * ADDRESSES + index);
        return Endpoint.ready(new IpPort(ip, 8080));
    }
}
