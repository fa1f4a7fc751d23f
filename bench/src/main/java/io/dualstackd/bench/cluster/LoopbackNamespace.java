package io.dualstackd.bench.cluster;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;

/** A network namespace whose loopback interface is up, for a server and its client. */
final class LoopbackNamespace {
    private LoopbackNamespace() {}

    static NetNs make() throws Exception {
        NetNs ns = NetNs.create();
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.change("lo", new LinkChange.Up());
        }
        return ns;
    }
}
