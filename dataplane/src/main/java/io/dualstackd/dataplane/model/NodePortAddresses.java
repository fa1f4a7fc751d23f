package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/** The addresses of the node on which node ports answer ({@code nodePortAddresses}). */
public sealed interface NodePortAddresses {
    /** On every local address. */
    record All() implements NodePortAddresses {}

    /** On the node's own IP of each family. */
    record Primary() implements NodePortAddresses {}

    /** On the node's addresses inside these networks, of either family. */
    record Within(List<IpPrefix> networks) implements NodePortAddresses {
        public Within {
            networks = List.copyOf(networks);
        }
    }

    NodePortAddresses ALL = new All();
    NodePortAddresses PRIMARY = new Primary();
}
