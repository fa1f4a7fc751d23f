package io.dualstackd.dataplane.ipvs;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ipvs.IpvsChange;

/** One change to the kernel, and the origin it is made for. */
public sealed interface Step {
    Origin origin();

    /** A change of a virtual server or its destinations. */
    record Change(Origin origin, IpvsChange change) implements Step {}

    /** Adds the address to the node. */
    record Hold(Origin origin, Ip address) implements Step {}

    /** Removes the address from the node. */
    record Release(Origin origin, Ip address) implements Step {}
}
