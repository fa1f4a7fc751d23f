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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a namespace of the test's own. */
@Tag("kernel")
final class LeftoversTest {
    private static final FamilyStatus IN_FORCE =
            FamilyStatus.initial(IpFamily.IPV4).in(FamilyStatus.State.IN_FORCE);

    private static DaemonSettings settings(NetNs ns) {
        return DaemonSettingsBuilder.daemon(
                        ProxyMode.NFTABLES,
                        new SourceSettings.Folder("/nowhere"),
                        ns,
                        NodeSettingsBuilder.node("n1").settings())
                .settings();
    }

    /** Removing thousands of virtual servers takes long, and the other family's changes go on. */
    @Test
    void theOtherFamilyDoesNotWaitWhileIpvsIsCleaned() throws Exception {
        CountDownLatch cleaning = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (NetNs ns = FreshNetNs.create()) {
            Leftovers leftovers = new Leftovers(
                    settings(ns), () -> NlSocket.open(NlProtocol.NETFILTER, ns), new Generations(), () -> {
                        cleaning.countDown();
                        try {
                            over.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        return new IpvsLeftovers.Outcome(List.of(), List.of());
                    });
            FamilyStatus other = FamilyStatus.initial(IpFamily.IPV6).in(FamilyStatus.State.IN_FORCE);
            leftovers.onStatus(other);
            Thread last = Thread.ofPlatform().start(() -> leftovers.onStatus(IN_FORCE));
            cleaning.await();
            Thread reconciler = Thread.ofPlatform().start(() -> leftovers.onStatus(other));
            assertThat(reconciler.join(Duration.ofSeconds(30))).isTrue();
            over.countDown();
            last.join();
        } finally {
            over.countDown();
        }
    }

    /** An upgrade of the cluster may start one again, and its rules come first. */
    @Test
    void aKubeProxyThatIsBackIsNoticed() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            NetNsCommands commands = new NetNsCommands(ns);
            Leftovers leftovers =
                    new Leftovers(settings(ns), () -> NlSocket.open(NlProtocol.NETFILTER, ns), new Generations());
            commands.run("nft", "add", "table", "ip", "kube-proxy");
            assertThat(leftovers.notes()).as("not looked yet").isEmpty();
            leftovers.onStatus(IN_FORCE);
            assertThat(leftovers.notes()).isEmpty();
            commands.run("nft", "add", "table", "ip", "kube-proxy");
            assertThat(leftovers.notes())
                    .containsExactly("a kube-proxy has written IPv4 rules since the start (table ip kube-proxy), which"
                            + " may come before those of dualstackd; stop it, then restart dualstackd, which removes"
                            + " them");
            commands.run("nft", "delete", "table", "ip", "kube-proxy");
            commands.run("iptables", "-t", "nat", "-N", "KUBE-SERVICES");
            assertThat(leftovers.notes()).isEmpty();
            commands.run("iptables", "-t", "nat", "-N", "KUBE-PROXY-CANARY");
            assertThat(leftovers.notes()).singleElement().asString().contains("(chain ip nat KUBE-PROXY-CANARY)");
        }
    }

    /** Rules of a kube-proxy that stay lead to its endpoints of then, and nobody changes them any more. */
    @Test
    void whatCannotBeRemovedIsTriedAgain() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("nft", "add", "table", "ip", "kube-proxy");
            AtomicInteger opened = new AtomicInteger();
            Leftovers leftovers = new Leftovers(
                    settings(ns),
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
