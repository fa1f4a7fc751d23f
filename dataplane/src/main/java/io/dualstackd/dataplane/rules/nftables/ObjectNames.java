package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.rules.NameHash;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.StickyEndpoint;
import io.dualstackd.netlink.ip.IpPort;

/**
 * The names of the chains and sets of a port with session affinity. They are those of kube-proxy: a hash, so that cut names stay
 * different, followed by the hashed text, to be readable.
 */
final class ObjectNames {
    /** Names in nf_tables hold 255 bytes; longer names than this are cut. */
    private static final int MAX_LENGTH = 240;

    /** What the name of a set of clients begins with. */
    static final String CLIENTS = "affinity-";

    private static final String CUT = "...";
    private static final int HASH_LENGTH = 8;

    private ObjectNames() {}

    /** The chain of a port's list of endpoints: {@code service-ULMVA6XW-ns1/svc1/tcp/p80}. */
    static String list(ServicePortName port, boolean local) {
        return (local ? "local-" : "service-") + hashed(text(port));
    }

    /** The chain and the set of an endpoint: {@code endpoint-5OJB2KTY-ns1/svc1/tcp/p80__10.180.0.1/80}. */
    static StickyEndpoint endpoint(ServicePortName port, IpPort address) {
        // A colon would end the name in the syntax of nft.
        String ip = address.ip().toString().replace(':', '.');
        String name = hashed(text(port) + "__" + ip + "/" + address.port());
        return new StickyEndpoint("endpoint-" + name, CLIENTS + name, address);
    }

    private static String text(ServicePortName port) {
        return port.service() + "/" + port.protocol() + "/" + port.port();
    }

    static String hashed(String text) {
        String name = NameHash.of(text, HASH_LENGTH) + "-" + text;
        return name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH - CUT.length()) + CUT : name;
    }
}
