package io.dualstackd.nodeaddr.io;

import static io.dualstackd.nodeaddr.io.WatchedNode.has;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.RouteSubscription;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.nodeaddr.Host;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Addresses of Services, which IPVS mode makes the node's own, are none of the host's. */
@Tag("kernel")
final class HostReaderTest {
    @Test
    void addressesOfServicesCauseNoRead() throws Exception {
        try (WatchedNode net = new WatchedNode();
                RouteSubscription changes = HostReader.subscribe(net.ns);
                HostReader reader = HostReader.open(net.ns)) {
            // Link-local addresses of IPv6 appear and change by themselves.
            Sysctl.write(net.ns, "net/ipv6/conf/default/disable_ipv6", "1");
            int eth0 = net.cable("eth0");
            Host host = settled(reader, changes);

            net.node.addBridge("kube-ipvs0");
            int services = net.node.indexOf("kube-ipvs0");
            net.add(services, "10.96.0.10/32");
            assertThat(reader.pendingScope(changes, host))
                    .as("link and address are new")
                    .isEqualTo(RefreshScope.NOTHING);

            net.add(eth0, "10.0.0.1/24");
            assertThat(reader.pendingScope(changes, host)).isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
            host = settled(reader, changes);
            assertThat(has(host, "10.0.0.1")).isTrue();
            assertThat(has(host, "10.96.0.10")).isFalse();
            net.add(services, "10.96.0.11/32");
            assertThat(reader.pendingScope(changes, host))
                    .as("the link has been read")
                    .isEqualTo(RefreshScope.NOTHING);

            net.node.change("kube-ipvs0", new LinkChange.Rename("other"));
            assertThat(reader.pendingScope(changes, host)).isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
            host = settled(reader, changes);
            assertThat(has(host, "10.96.0.11")).isTrue();
            net.node.change("other", new LinkChange.Rename("kube-ipvs0"));
            assertThat(reader.pendingScope(changes, host)).isEqualTo(RefreshScope.LINKS_AND_ADDRESSES);
            assertThat(has(settled(reader, changes), "10.96.0.11")).isFalse();
        }
    }

    private static Host settled(HostReader reader, RouteSubscription changes) throws Exception {
        Host host = reader.read(RefreshScope.ALL, Host.EMPTY);
        while (reader.pendingScope(changes, host) != RefreshScope.NOTHING) {
            host = reader.read(RefreshScope.ALL, host);
        }
        return host;
    }
}
