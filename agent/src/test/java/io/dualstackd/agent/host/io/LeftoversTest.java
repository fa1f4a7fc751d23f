package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    private static final ServiceKey WEB = new ServiceKey("shop", "web");

    private static FamilyStatus leavingOut(Map<ServiceKey, String> services, Set<ServiceKey> kept) {
        SyncResult sync = new SyncResult(
                new SyncResult.Result.InForce(),
                true,
                SyncResult.Work.NONE,
                new SyncResult.Totals(1, 1, 1, 1, 1),
                services,
                List.of(),
                kept);
        return new FamilyStatus(
                IpFamily.IPV4,
                FamilyStatus.State.IN_FORCE,
                Optional.empty(),
                Optional.of(sync),
                Optional.empty(),
                FamilyStatus.Counts.NONE,
                Optional.empty(),
                FamilyStatus.Flows.NONE);
    }

    private static DaemonSettings settings(NetNs ns) {
        return DaemonSettingsBuilder.daemon(
                        ProxyMode.NFTABLES,
                        new SourceSettings.Folder("/nowhere"),
                        ns,
                        NodeSettingsBuilder.node("n1").settings())
                .settings();
    }

    /** The old rules serve what the kernel refuses in our mode. */
    @Test
    void rulesThatServeARefusedServiceStayUntilItIsInForce() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("nft", "add", "table", "ip", "kube-proxy");
            Leftovers leftovers =
                    new Leftovers(settings(ns), () -> NlSocket.open(NlProtocol.NETFILTER, ns), new Generations());
            for (int i = 0; i < 3; i++) {
                leftovers.onStatus(leavingOut(Map.of(WEB, "no space"), Set.of()));
            }
            assertThat(commands.ruleset()).contains("kube-proxy");
            assertThat(leftovers.notes())
                    .containsExactly("what another mode may have left in IPv4 stays: our rules leave out shop/web");
            leftovers.onStatus(leavingOut(Map.of(WEB, "the rules of 11:00:00 stay in force: no space"), Set.of(WEB)));
            assertThat(commands.ruleset()).as("our own rules serve it").doesNotContain("kube-proxy");
            assertThat(leftovers.notes()).isEmpty();
        }
    }

    @Test
    void rulesOfAnotherModeGoOnceEveryServiceIsInForce() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("nft", "add", "table", "ip", "kube-proxy");
            Leftovers leftovers =
                    new Leftovers(settings(ns), () -> NlSocket.open(NlProtocol.NETFILTER, ns), new Generations());
            leftovers.onStatus(leavingOut(Map.of(WEB, "no space"), Set.of()));
            assertThat(commands.ruleset()).contains("kube-proxy");
            leftovers.onStatus(leavingOut(Map.of(), Set.of()));
            assertThat(commands.ruleset()).doesNotContain("kube-proxy");
            leftovers.onStatus(leavingOut(Map.of(WEB, "no space"), Set.of()));
            assertThat(leftovers.notes())
                    .as("nothing is left that could serve it")
                    .isEmpty();
        }
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
