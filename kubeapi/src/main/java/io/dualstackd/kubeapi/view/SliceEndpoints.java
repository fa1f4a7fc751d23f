package io.dualstackd.kubeapi.view;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The endpoints of one Service in one family, collected from its slices. */
final class SliceEndpoints {
    /** Of a slice with no more ports, all are looked at for each port of the Service. */
    private static final int FEW_PORTS = 8;

    private final List<EndpointSlice> slices;
    private final String nodeName;
    /** The ports of slices with many. */
    private final IdentityHashMap<EndpointSlice, Map<PortKey, List<EndpointSlice.Port>>> byName =
            new IdentityHashMap<>(0);

    private record PortKey(String name, Proto protocol) {}

    SliceEndpoints(Collection<EndpointSlice> slices, IpFamily family, String nodeName) {
        EndpointSlice.AddressType wanted = switch (family) {
            case IPV4 -> EndpointSlice.AddressType.IPV4;
            case IPV6 -> EndpointSlice.AddressType.IPV6;
        };
        // Duplicate records of one address are resolved by order; a fixed order makes the result a function of the
        // content.
        List<EndpointSlice> ofFamily = new ArrayList<>(slices.size());
        for (EndpointSlice slice : slices) {
            if (!slice.headless() && slice.addressType() == wanted) {
                ofFamily.add(slice);
            }
        }
        ofFamily.sort(Comparator.comparing(EndpointSlice::name));
        this.slices = ofFamily;
        this.nodeName = nodeName;
    }

    /** Endpoints of the service port with this name and protocol, sorted by the text {@code IP:port}. */
    List<Endpoint> of(String portName, Proto protocol) {
        List<Endpoint> records = new ArrayList<>();
        for (EndpointSlice slice : slices) {
            for (EndpointSlice.Port port : candidates(slice, portName, protocol)) {
                boolean matches = port.name().filter(portName::equals).isPresent()
                        && port.protocol().equals(protocol)
                        && port.port().orElse(0) != 0;
                if (matches) {
                    int number = port.port().getAsInt();
                    slice.visit((address, conditions, node, zoneHints, nodeHints) -> records.add(new Endpoint(
                            new IpPort(address, number),
                            conditions.ready().orElse(true),
                            conditions.serving().orElse(true),
                            conditions.terminating().orElse(false),
                            !node.isEmpty() && node.equals(nodeName),
                            zoneHints,
                            nodeHints)));
                }
            }
        }
        // The records of one address stay in the order of their slices.
        records.sort((one, other) -> IpPort.compareAsText(one.address(), other.address()));
        return merged(records);
    }

    private List<EndpointSlice.Port> candidates(EndpointSlice slice, String name, Proto protocol) {
        return slice.ports().size() <= FEW_PORTS
                ? slice.ports()
                : byName.computeIfAbsent(slice, SliceEndpoints::index)
                        .getOrDefault(new PortKey(name, protocol), List.of());
    }

    private static Map<PortKey, List<EndpointSlice.Port>> index(EndpointSlice slice) {
        Map<PortKey, List<EndpointSlice.Port>> index = new HashMap<>();
        for (EndpointSlice.Port port : slice.ports()) {
            port.name()
                    .ifPresent(
                            name -> index.computeIfAbsent(new PortKey(name, port.protocol()), key -> new ArrayList<>(1))
                                    .add(port));
        }
        return index;
    }

    /** While an address moves from one slice to another, or is reused by a new pod, the record that lives longer takes precedence. */
    private static List<Endpoint> merged(List<Endpoint> sorted) {
        int count = 0;
        for (Endpoint endpoint : sorted) {
            if (count == 0 || !endpoint.address().equals(sorted.get(count - 1).address())) {
                sorted.set(count++, endpoint);
            } else if (!endpoint.terminating()) {
                sorted.set(count - 1, endpoint);
            }
        }
        return List.copyOf(sorted.subList(0, count));
    }
}
