package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;

/**
 * The addresses of the laboratory in one family; pure, so that the oracle and the kernel are asked about the same world.
 *
 * <p>A node with an uplink to a router (where external clients live) and a second link to another node (where remote pods live).
 * Its pods hang on routed veth pairs; the node's end of every pair holds the {@link #gateway}, so a masqueraded packet to a local
 * pod shows another source than the node's own IP, and one to a remote pod the node's address on the {@link #nodeOnRack rack}.
 */
public enum LabMap {
    V4(IpFamily.IPV4),
    V6(IpFamily.IPV6);

    /** Where servers in pods listen, TCP and UDP. */
    public static final int TARGET_PORT = 8080;

    /** Local pods that serve, and as many on the other node. */
    public static final int SERVING_PODS = 4;

    /** How the node's ends of the pods' veth pairs begin. */
    public static final String POD_LINK_PREFIX = "pv-";

    private final IpFamily family;

    LabMap(IpFamily family) {
        this.family = family;
    }

    public IpFamily family() {
        return family;
    }

    /** The node's own IP, on its uplink. */
    public Ip node() {
        return pick("192.168.0.2", "2001:db8::1");
    }

    public Ip loopback() {
        return pick("127.0.0.1", "::1");
    }

    /** A second address on the uplink. */
    public Ip secondNode() {
        return pick("192.168.1.2", "2001:db8:1::2");
    }

    /** The node on the link to the other node. */
    public Ip nodeOnRack() {
        return pick("192.168.50.2", "fd00:50::2");
    }

    /** The other node. */
    public Ip remoteNode() {
        return pick("192.168.50.3", "fd00:50::3");
    }

    /** The router on the uplink. */
    public Ip router() {
        return pick("192.168.0.1", "2001:db8::ffff");
    }

    /** The node's address on every pod link. */
    public Ip gateway() {
        return pick("10.0.0.1", "fd00:10::1");
    }

    /** All pods of the cluster, here and elsewhere. */
    public IpPrefix pods() {
        return IpPrefix.parse(family == IpFamily.IPV4 ? "10.0.0.0/8" : "fd00:10::/32");
    }

    /** A local pod that belongs to no Service. */
    public Ip clientPod() {
        return pick("10.0.0.2", "fd00:10::2");
    }

    /** Local pods that serve, 1 to 4. */
    public Ip localPod(int number) {
        return pick("10.0.1." + number, "fd00:10:0:1::" + number);
    }

    /** Pods on the other node that serve, 1 to 4. */
    public Ip remotePod(int number) {
        return pick("10.0.2." + number, "fd00:10:0:2::" + number);
    }

    /** An external client. */
    public Ip client() {
        return pick("203.0.113.2", "2001:db8:c::2");
    }

    /** An external client outside {@link #clientRange}. */
    public Ip otherClient() {
        return pick("203.0.113.130", "2001:db8:c::8002");
    }

    /** Holds {@link #client} but not {@link #otherClient}. */
    public IpPrefix clientRange() {
        return IpPrefix.parse(family == IpFamily.IPV4 ? "203.0.113.0/25" : "2001:db8:c::/113");
    }

    /** Holds {@link #node}. */
    public IpPrefix nodeRange() {
        return IpPrefix.parse(family == IpFamily.IPV4 ? "192.168.0.0/24" : "2001:db8::/64");
    }

    /** Load-balancer addresses, 1 to 99. */
    public Ip vip(int number) {
        return pick("1.2.3." + number, "2001:db8:f::" + number);
    }

    /** External IPs, 1 to 99. */
    public Ip externalIp(int number) {
        return pick("198.51.100." + number, "2001:db8:e::" + number);
    }

    public Ip clusterIp(int number) {
        return pick("172.30.0." + number, "fd00:172::" + number);
    }

    /** Holds every {@link #clusterIp}. */
    public IpPrefix serviceCidr() {
        return IpPrefix.parse(family == IpFamily.IPV4 ? "172.30.0.0/16" : "fd00:172::/108");
    }

    /** The node as the data plane sees it, with nothing configured. */
    public NodeViewBuilder nodeBuilder() {
        return NodeViewBuilder.node(family)
                .addresses(
                        node().toString(),
                        secondNode().toString(),
                        nodeOnRack().toString(),
                        gateway().toString());
    }

    private Ip pick(String v4, String v6) {
        return Ip.parse(family == IpFamily.IPV4 ? v4 : v6);
    }
}
