package io.dualstackd.bench;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A made-up cluster of one family: ClusterIP services of one TCP port; every endpoint's address is its own. */
record Cluster(IpFamily family, int services, int endpoints) {

    NodeView node() {
        boolean v4 = family == IpFamily.IPV4;
        return new NodeView(
                family,
                "node-1",
                "",
                Optional.of(Ip.parse(v4 ? "192.0.2.10" : "2001:db8::10")),
                List.of(),
                new LocalDetector.SourceIn(IpPrefix.parse(v4 ? "10.0.0.0/8" : "fd00:10::/32")),
                NodePortAddresses.ALL,
                false,
                14,
                false,
                true,
                List.of());
    }

    Map<ServiceKey, Optional<ServiceView>> all() {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < services; n++) {
            ServiceView view = service(n, List.of());
            all.put(view.key(), Optional.of(view));
        }
        return all;
    }

    /** Service {@code n} with {@link #endpoints()} endpoints, those at the ends of {@code replaced} pairs exchanged. */
    ServiceView service(int n, List<Integer> replaced) {
        List<Endpoint> list = new ArrayList<>();
        for (int i = 0; i < endpoints; i++) {
            list.add(endpoint(n, replaced.contains(i) ? endpoints + 100 + i : i));
        }
        return view(n, list);
    }

    ServiceView withEndpoints(int n, int count) {
        List<Endpoint> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(endpoint(n, i));
        }
        return view(n, list);
    }

    static ServiceKey key(int n) {
        return new ServiceKey("bench", "service-" + n);
    }

    private ServiceView view(int n, List<Endpoint> list) {
        ServicePort port = new ServicePort(
                new ServicePortName(key(n), "http", Proto.TCP),
                family == IpFamily.IPV4 ? new Ip.V4(0x0a600000 + n + 1) : new Ip.V6(0xfd00_0010_0096_0000L, n + 1),
                80,
                0,
                List.of(),
                List.of(),
                List.of(),
                Affinity.NONE,
                TrafficPolicy.CLUSTER,
                TrafficPolicy.CLUSTER,
                0);
        return new ServiceView(key(n), family, List.of(new PortView(port, list)));
    }

    private Endpoint endpoint(int service, int index) {
        int number = service * 256 + index + 1;
        Ip ip = family == IpFamily.IPV4 ? new Ip.V4(0x0b000000 + number) : new Ip.V6(0xfd00_0010_0244_0000L, number);
        return new Endpoint(new IpPort(ip, 8080), true, true, false, false, Set.of(), Set.of());
    }
}
