package io.dualstackd.dataplane.packets;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The laboratory of {@link LabMap}, in both families, made of network namespaces that vanish with it:
 *
 * <pre>
 *   client ── router ══ uplink [ node ] rack ══ other node with remote pods r1…r4
 *                                │ pv-pod, pv-l1 … pv-l4
 *                              pods (one namespace each)
 * </pre>
 *
 * <p>Every serving pod answers TCP and UDP on {@link LabMap#TARGET_PORT}, the node itself on {@link NodePorts#PORT}. The router does
 * not forward: what the node sends away unserved is never heard of again.
 *
 * <p>Needs CAP_NET_ADMIN and CAP_SYS_ADMIN, as root or in a user namespace of one's own; there {@code lo} must be up before the
 * JVM starts, which otherwise believes that the machine has no IPv6.
 */
public final class Lab implements Closeable {
    private final List<Closeable> open = new ArrayList<>();
    private final Host node;
    private final Host router;
    private final Host rack;
    private final Host clientPod;
    private final List<Host> localPods = new ArrayList<>();
    private final List<Ip> held = new ArrayList<>();

    private Lab() throws IOException, NetlinkException {
        node = host("node");
        router = host("router");
        rack = host("rack");
        clientPod = host("pod");
        for (int number = 1; number <= LabMap.SERVING_PODS; number++) {
            localPods.add(host("l" + number));
        }
    }

    /** Builds it. */
    public static Lab open() throws Exception {
        Lab lab = new Lab();
        try {
            lab.wire();
            for (LabMap map : LabMap.values()) {
                lab.number(map);
                lab.serve(map);
            }
            return lab;
        } catch (Exception e) {
            lab.close();
            throw e;
        }
    }

    /** Where the data plane under test belongs. */
    public NetNs node() {
        return node.ns();
    }

    /** The namespace of a local pod that serves, 1 to 4. */
    public NetNs pod(int number) {
        return localPods.get(number - 1).ns();
    }

    public Host hostOf(Sender sender) {
        return switch (sender) {
            case POD -> clientPod;
            case L1 -> localPods.getFirst();
            case NODE, NODE_LOOPBACK, NODE_AS_VIP1, NODE_AS_VIP2 -> node;
            case CLIENT, OTHER_CLIENT -> router;
            case R1 -> rack;
        };
    }

    /** Gives the node exactly these addresses besides those of the map. */
    public void nodeHolds(List<Ip> addresses) throws NetlinkException {
        for (Ip ip : held) {
            node.forget("lo", ip);
        }
        held.clear();
        for (Ip ip : addresses) {
            node.address("lo", ip);
            held.add(ip);
        }
    }

    private Host host(String name) throws IOException, NetlinkException {
        Host host = Host.create(name);
        open.add(host);
        return host;
    }

    private void wire() throws IOException, NetlinkException {
        node.forward();
        // What the data plane's guard of loopback addresses expects; harmless without node ports there.
        node.set("net/ipv4/conf/all/route_localnet", "1");
        node.cable("uplink", router, "uplink");
        node.cable("rack", rack, "rack");
        node.cable(LabMap.POD_LINK_PREFIX + "pod", clientPod, "eth0");
        for (Host pod : localPods) {
            node.cable(LabMap.POD_LINK_PREFIX + pod, pod, "eth0");
        }
    }

    private void number(LabMap map) throws NetlinkException {
        int length = Host.networkLength(map.family());
        node.address("uplink", map.node(), length);
        node.address("uplink", map.secondNode(), length);
        router.address("uplink", map.router(), length);
        router.address("uplink", map.client());
        router.address("uplink", map.otherClient());
        router.defaultRoute(map.node());
        node.defaultRoute(map.router());

        node.address("rack", map.nodeOnRack(), length);
        rack.address("rack", map.remoteNode(), length);
        rack.defaultRoute(map.nodeOnRack());

        pod(map, clientPod, map.clientPod());
        for (int number = 1; number <= LabMap.SERVING_PODS; number++) {
            pod(map, localPods.get(number - 1), map.localPod(number));
            rack.address("rack", map.remotePod(number));
            node.route(IpPrefix.host(map.remotePod(number)), map.remoteNode());
        }
    }

    private void pod(LabMap map, Host pod, Ip ip) throws NetlinkException {
        String link = LabMap.POD_LINK_PREFIX + pod;
        node.address(link, map.gateway());
        node.neighbour(ip, link);
        pod.address("eth0", ip);
        pod.neighbour(map.gateway(), "eth0");
        pod.defaultRoute(map.gateway());
    }

    private void serve(LabMap map) throws Exception {
        for (int number = 1; number <= LabMap.SERVING_PODS; number++) {
            Host pod = localPods.get(number - 1);
            open.add(Server.start(pod.ns(), "L" + number, map.localPod(number), LabMap.TARGET_PORT));
            open.add(Server.start(rack.ns(), "R" + number, map.remotePod(number), LabMap.TARGET_PORT));
        }
        List<Ip> nodeAddresses = List.of(map.loopback(), map.node(), map.secondNode(), map.nodeOnRack(), map.gateway());
        for (Ip ip : nodeAddresses) {
            open.add(Server.start(node.ns(), Server.HOST, ip, NodePorts.PORT));
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable one : open.reversed()) {
            one.close();
        }
    }
}
