package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.NodeSettingsBuilder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a namespace of the test's own. */
@Tag("kernel")
final class LeftoversTest {
    private static final FamilyStatus IN_FORCE =
            FamilyStatus.initial(IpFamily.IPV4).in(FamilyStatus.State.IN_FORCE);

    /** Rules of a kube-proxy that stay lead to its endpoints of then, and nobody changes them any more. */
    @Test
    void whatCannotBeRemovedIsTriedAgain() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("nft", "add", "table", "ip", "kube-proxy");
            DaemonSettings settings = DaemonSettingsBuilder.daemon(
                            ProxyMode.NFTABLES,
                            new SourceSettings.Folder("/nowhere"),
                            ns,
                            NodeSettingsBuilder.node("n1").settings())
                    .settings();
            AtomicInteger opened = new AtomicInteger();
            Leftovers leftovers = new Leftovers(
                    settings,
                    () -> {
                        if (opened.getAndIncrement() == 0) {
                            throw new NetlinkException.NoAnswer("list tables", Duration.ofSeconds(10));
                        }
                        return NlSocket.open(NlProtocol.NETFILTER, ns);
                    },
                    new Generations());
            assertThat(leftovers.notes()).isEmpty();
            leftovers.onStatus(IN_FORCE);
            assertThat(opened).hasValue(1);
            leftovers.onStatus(IN_FORCE);
            assertThat(opened).as("after a pause").hasValue(1);
            assertThat(leftovers.notes())
                    .singleElement()
                    .asString()
                    .contains("IPv4 could not be removed and is tried again", "list tables");
            assertThat(commands.ruleset()).contains("kube-proxy");
            Awaitility.await().untilAsserted(() -> {
                leftovers.onStatus(IN_FORCE);
                assertThat(commands.ruleset()).doesNotContain("kube-proxy");
            });
            assertThat(leftovers.notes()).isEmpty();
            int whenDone = opened.get();
            leftovers.onStatus(IN_FORCE);
            assertThat(opened).as("once").hasValue(whenDone);
        }
    }
}
