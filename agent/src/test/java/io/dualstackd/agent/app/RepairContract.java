package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and another program in one namespace. The sync period is so long that only the kernel's notifications can wake it. */
abstract class RepairContract {
    private static final Duration NEVER = Duration.ofHours(10);

    @TempDir
    Path folder;

    private final ProxyMode mode;
    private final ConcurrentLinkedQueue<FamilyStatus> reported = new ConcurrentLinkedQueue<>();
    NetNs ns;
    NetNsCommands commands;
    private Daemon daemon;

    RepairContract(ProxyMode mode) {
        this.mode = mode;
    }

    /** The family's rules of ours and of others, in an order that does not depend on what happened to them. */
    abstract String saved(IpFamily family) throws Exception;

    @BeforeEach
    void start() throws Exception {
        ns = FreshNetNs.create();
        commands = new NetNsCommands(ns);
        for (int i = 0; i < 3; i++) {
            Files.writeString(folder.resolve("s" + i + ".yaml"), service(i, 2));
        }
        NodeSettings node = NodeSettingsBuilder.node("n").settings();
        // The gap between ordinary syncs is as long: a repair must not wait for it.
        DaemonSettings settings = DaemonSettingsBuilder.daemon(
                        mode, new SourceSettings.Folder(folder.toString()), ns, node)
                .intervals(new SyncIntervals(NEVER, NEVER))
                .settings();
        daemon = Daemon.start(settings, reported::add);
        // The second look is the one the watch asks for when it has begun to listen.
        for (IpFamily family : IpFamily.values()) {
            until(family, status -> syncs(family) >= 2 && status.state() == State.IN_FORCE);
        }
    }

    @AfterEach
    void end() {
        daemon.close();
        ns.close();
    }

    private static String service(int number, int endpoints) {
        StringBuilder ends = new StringBuilder();
        for (int i = 1; i <= endpoints; i++) {
            ends.append("\n- {addresses: [10.244.%d.%d], conditions: {ready: true}}".formatted(number, i));
        }
        return """
            apiVersion: v1
            kind: Service
            metadata: {name: s%d, namespace: e2e}
            spec: {clusterIP: 10.96.0.%d, clusterIPs: [10.96.0.%d, "fd00:10:96::%d"], ports: [{port: 80}],
              ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv4, IPv6]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: s%d-4, namespace: e2e, labels: {kubernetes.io/service-name: s%d}}
            addressType: IPv4
            ports: [{name: "", port: 8080, protocol: TCP}]
            endpoints:%s
            """.formatted(number, number + 1, number + 1, number + 1, number, number, ends);
    }

    private static ConditionFactory eventually() {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2));
    }

    FamilyStatus status(IpFamily family) {
        return daemon.statuses().stream()
                .filter(status -> status.family() == family)
                .findFirst()
                .orElseThrow();
    }

    FamilyStatus until(IpFamily family, Predicate<FamilyStatus> condition) {
        FamilyStatus met = eventually().until(() -> status(family), condition);
        // The status shows a repair a moment before the listener is called.
        eventually()
                .until(() -> reported.stream()
                        .anyMatch(status ->
                                status.family() == family && status.counts().equals(met.counts())));
        return met;
    }

    long syncs(IpFamily family) {
        return reported.stream().filter(status -> status.family() == family).count();
    }

    /** Runs a command of another program, and expects one repair of so many steps and the same rules as before. */
    void repaired(IpFamily family, int steps, String... foreign) throws Exception {
        String before = saved(family);
        FamilyStatus then = status(family);
        commands.run(foreign);
        SyncResult report = until(
                        family, now -> now.counts().repairs() > then.counts().repairs())
                .lastChange()
                .orElseThrow()
                .report();
        assertThat(saved(family)).isEqualTo(before);
        assertThat(status(family).counts().repairs()).isEqualTo(then.counts().repairs() + 1);
        assertThat(report.ops()).isEqualTo(steps);
        assertThat(report.comparedAll())
                .as("only what was changed is looked at")
                .isFalse();
    }

    void manyElementsOfOthers() throws Exception {
        TableName table = new TableName(NftFamily.IP, "others");
        NftSet set = NftSet.set(table.set("s"), NftType.MARK);
        List<NftElement> elements = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            elements.add(NftElement.of(Bytes.u32(i)));
        }
        try (NftClient other = NftClient.open(ns)) {
            other.apply(NftBatch.begin().add(NftTable.of(table)).add(set).addElements(set.name(), elements));
        }
    }
}
