package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.IpSetClient;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.Request;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.nft.NfHeader;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.Bytes;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a namespace of the test's own. The link is a bridge here, as not every kernel has dummy ones. */
@Tag("kernel")
final class IpvsLeftoversTest {
    private static final int CREATE = 0x602;
    private static final int NESTED = 1 << 15;

    private static void set(NetNs ns, String name) throws NetlinkException {
        try (NetlinkConnection kernel = new NetlinkConnection(NlSocket.open(NlProtocol.NETFILTER, ns))) {
            kernel.request(new Request("create " + name, CREATE, 0x400, writer -> {
                NfHeader.write(writer, NftFamily.IP);
                writer.put(new Attr.U8(1, "PROTOCOL"), 6)
                        .put(new Attr.Text(2, "SETNAME"), name)
                        .put(new Attr.Text(3, "TYPENAME"), "hash:ip")
                        .put(new Attr.U8(4, "REVISION"), 0)
                        .put(new Attr.U8(5, "FAMILY"), 2)
                        .put(new Attr.Payload(7 | NESTED, "DATA"), Bytes.EMPTY);
            }));
        }
    }

    @Test
    void goAndWhatIsOthersStays() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                RouteClient routes = RouteClient.open(ns);
                IpSetClient sets = IpSetClient.open(ns)) {
            assertThat(IpvsLeftovers.remove(ns, List.of()).removed()).isEmpty();
            routes.addBridge("kube-ipvs0");
            routes.addBridge("cni0");
            set(ns, "KUBE-CLUSTER-IP");
            set(ns, "KUBE-6-LOAD-BALANCER-SOURCE-IP");
            set(ns, "KUBE-SRC-policy");
            set(ns, "mine");
            assertThat(sets.names()).hasSize(4);
            IpvsLeftovers.Outcome outcome = IpvsLeftovers.remove(ns, List.of());
            assertThat(outcome.failed()).isEmpty();
            assertThat(outcome.removed())
                    .containsExactlyInAnyOrder(
                            "link kube-ipvs0", "ipset KUBE-CLUSTER-IP", "ipset KUBE-6-LOAD-BALANCER-SOURCE-IP");
            assertThat(sets.names()).containsExactlyInAnyOrder("KUBE-SRC-policy", "mine");
            assertThat(routes.link("cni0")).isPresent();
        }
    }
}
