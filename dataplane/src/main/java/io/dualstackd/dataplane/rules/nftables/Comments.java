package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.netlink.nft.userdata.UserData;

/** What elements say about themselves to people. */
final class Comments {
    private Comments() {}

    /** {@code namespace/name:port what}; names that leave no room for {@code what} are cut, since Kubernetes' are all ASCII. */
    static String of(ServicePortName port, String what) {
        String name = port.toString();
        int room = UserData.MAX_COMMENT - what.length() - 1;
        return (name.length() > room ? name.substring(0, room - 3) + "..." : name) + " " + what;
    }
}
