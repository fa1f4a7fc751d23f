package io.dualstackd.dataplane.ipvs;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ipvs.IpvsChange;

/** One change to the kernel, and on whose behalf. */
public sealed interface Step {
    Origin origin();

    /** A change of a virtual server or its destinations. */
    record Change(Origin origin, IpvsChange change) implements Step {}

    /** The address becomes the node's own. */
    record Hold(Origin origin, Ip address) implements Step {}

    /** The address is the node's own no more. */
    record Release(Origin origin, Ip address) implements Step {}
}
