package io.dualstackd.bench.measure;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.Optional;

/** A made-up node, and the addresses of the made-up cluster it belongs to. */
public final class Nodes {
    private Nodes() {}

    private static final NodeView IPV4 = make(IpFamily.IPV4);
    private static final NodeView IPV6 = make(IpFamily.IPV6);

    /** The node as seen by one family: always the same object, as in the daemon while the node does not change. */
    public static NodeView view(IpFamily family) {
        return family == IpFamily.IPV4 ? IPV4 : IPV6;
    }

    private static NodeView make(IpFamily family) {
        boolean v4 = family == IpFamily.IPV4;
        return new NodeView(
                family,
                "node-1",
                "",
                Optional.of(Ip.parse(v4 ? "192.0.2.10" : "2001:db8::10")),
                List.of(),
                new LocalDetector.SourceIn(IpPrefix.parse(v4 ? "11.0.0.0/8" : "fd00:10:244::/48")),
                NodePortAddresses.ALL,
                false,
                14,
                false,
                true,
                false,
                List.of());
    }

    /** The ClusterIP of Service {@code n}, from 0 on: in {@code 10.96.0.0/12} and {@code fd00:10:96::/64}. */
    public static Ip serviceIp(IpFamily family, int n) {
        return family == IpFamily.IPV4 ? new Ip.V4(0x0a600000 + n + 1) : new Ip.V6(0xfd00_0010_0096_0000L, n + 1);
    }

    /** The address of pod {@code n}, from 0 on: in {@code 11.0.0.0/8} and {@code fd00:10:244::/64}. */
    public static Ip podIp(IpFamily family, int n) {
        return family == IpFamily.IPV4 ? new Ip.V4(0x0b000000 + n + 1) : new Ip.V6(0xfd00_0010_0244_0000L, n + 1);
    }
}
