package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kernel")
final class LoopbackRouteTest {
    /** Links of pods come and go while a clean-up looks at all of them. */
    @Test
    void aLinkThatIsRemovedMeanwhileIsNotOpen() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                RouteClient routes = RouteClient.open(ns)) {
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Integer> pods = CompletableFuture.supplyAsync(() -> {
                int made = 0;
                try {
                    while (!over.get()) {
                        routes.addVeth("pod0", "peer0");
                        routes.deleteLink(routes.indexOf("pod0"));
                        made++;
                    }
                } catch (NetlinkException e) {
                    throw new UncheckedIOException(e);
                }
                return made;
            });
            try {
                for (int i = 0; i < 2_000 && !pods.isDone(); i++) {
                    assertThat(LoopbackRoute.isOpen(ns)).as("look %d", i).isFalse();
                }
            } finally {
                over.set(true);
            }
            assertThat(pods.get(1, TimeUnit.MINUTES)).isPositive();
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(
                Arguments.of(NodePortAddresses.ALL, true, "1"),
                Arguments.of(NodePortAddresses.ALL, false, "0"),
                Arguments.of(within("10.0.0.0/8"), true, "0"),
                Arguments.of(within("10.0.0.0/8", "127.0.0.0/8"), true, "1"),
                Arguments.of(within("2001:db8::/64"), true, "1"),
                Arguments.of(NodePortAddresses.PRIMARY, true, "0"));
    }

    private static NodePortAddresses within(String... networks) {
        return new NodePortAddresses.Within(
                Stream.of(networks).map(IpPrefix::parse).toList());
    }

    /** Where nothing guards 127.0.0.0/8, nothing may open it: a neighbour on the link could reach what listens there. */
    @ParameterizedTest
    @MethodSource("cases")
    void isOpenedOnlyWhereItIsGuarded(NodePortAddresses addresses, boolean localhost, String expected)
            throws Exception {
        NodeSettings node = NodeSettingsBuilder.node("n")
                .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                .nodePortsOn(addresses)
                .localhostNodePorts(localhost)
                .settings();
        try (NetNs ns = FreshNetNs.create()) {
            LoopbackRoute.open(KernelSettings.of(ns), node);
            assertThat(Sysctl.read(ns, "net/ipv4/conf/all/route_localnet")).isEqualTo(expected);
        }
    }
}
