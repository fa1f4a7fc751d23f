package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.netlink.nft.userdata.UserData;

/** The comments of elements, for users. */
final class Comments {
    private Comments() {}

    /** {@code namespace/name:port what}; names too long to fit {@code what} are cut, since Kubernetes names are all ASCII. */
    static String of(ServicePortName port, String what) {
        String name = port.toString();
        int room = UserData.MAX_COMMENT - what.length() - 1;
        return (name.length() > room ? name.substring(0, room - 3) + "..." : name) + " " + what;
    }
}
