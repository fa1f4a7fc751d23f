package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A node whose endpoints are addresses of its own, so that a packet is with its endpoint as soon as it is sent: for very many of
 * them. A packet that no rule matches leaves by an uplink without a peer.
 */
final class LoneNode implements Closeable {
    private static final int PORT = 8080;

    private final LabMap map;
    private final Host node;
    private final Host nowhere;

    LoneNode(LabMap map, int endpoints) throws IOException, NetlinkException {
        this.map = map;
        this.node = Host.create("node");
        this.nowhere = Host.create("nowhere");
        node.cable("uplink", nowhere, "uplink");
        node.address("uplink", map.node(), Host.networkLength(map.family()));
        node.defaultRoute(map.router());
        for (int number = 0; number < endpoints; number++) {
            node.address("lo", endpoint(number).ip());
        }
    }

    NetNs ns() {
        return node.ns();
    }

    Ip address() {
        return map.node();
    }

    /** Endpoint {@code number}, from 0. */
    IpPort endpoint(int number) {
        Ip ip = Ip.parse(map.family() == IpFamily.IPV4 ? "10.0.3." + (1 + number) : "fd00:10:0:3::" + (1 + number));
        return new IpPort(ip, PORT);
    }

    IpPort service() {
        return new IpPort(map.clusterIp(1), 80);
    }

    NodeView view() {
        return map.nodeBuilder().view();
    }

    /** The Service, on TCP and UDP, with these endpoints. */
    ServiceViewBuilder service(List<Integer> endpoints) {
        return ServiceViewBuilder.service("lone", map.clusterIp(1).toString())
                .protocols(Proto.TCP, Proto.UDP)
                .endpoints(endpoints.stream()
                        .map(number -> new Endpoint(endpoint(number), true, true, false, true, Set.of(), Set.of()))
                        .sorted(Comparator.comparing(
                                endpoint -> endpoint.address().toString()))
                        .toList());
    }

    @Override
    public void close() {
        node.close();
        nowhere.close();
    }
}
