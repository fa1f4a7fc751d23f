package io.dualstackd.dataplane.flows;

import io.dualstackd.netlink.ip.IpPort;

/** A destination to which clients of a service port send their packets. */
public sealed interface Frontend {
    /** ClusterIP, external IP or load-balancer IP, with the service's port. */
    record Address(IpPort at) implements Frontend {}

    /** This port on those addresses of this node on which node ports answer. */
    record NodePort(int number) implements Frontend {}

    /** The port its packets are sent to. */
    default int port() {
        return switch (this) {
            case Address(IpPort at) -> at.port();
            case NodePort(int number) -> number;
        };
    }
}
