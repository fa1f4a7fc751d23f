package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.OwnedIptablesObjects;
import io.dualstackd.dataplane.watch.PartialRead;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftMonitor;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.Notification;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On a real kernel: no packet meets the rules of a table that another program makes dormant. */
@Tag("kernel")
final class DormantTableTest {
    private final Set<ChangedObject> changes = new HashSet<>();

    private NftMonitor monitor(NetNs ns, IpFamily family) throws NetlinkException {
        OwnedIptablesObjects ours = new OwnedIptablesObjects(family);
        return NftMonitor.open(NetlinkSockets.of(ns), message -> {
            if (ours.partialRead(message) instanceof PartialRead.Ours(ChangedObject change)) {
                changes.add(change);
            }
            return true;
        });
    }

    private static void receiveAll(NftMonitor monitor) throws NetlinkException {
        while (!(monitor.next(Duration.ZERO) instanceof Notification.Quiet)) {
            // Only what the monitor looks at counts.
        }
    }

    @ParameterizedTest
    @EnumSource
    void isActivatedAgain(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        String name = NftFamily.of(family) + " nat";
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer =
                        new ViewSyncer(IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)))) {
            NetNsCommands commands = new NetNsCommands(ns);
            assertThat(syncer.run(node, Samples.services(family, 3)).result()).isEqualTo(new Result.InForce());
            String right = commands.ruleset();

            try (NftMonitor monitor = monitor(ns, family)) {
                commands.run("nft", "add", "table", name);
                receiveAll(monitor);
                assertThat(changes).as("nothing has changed").isEmpty();
                commands.run("nft", "add", "table", name, "{ flags dormant; }");
                receiveAll(monitor);
            }
            assertThat(changes).hasToString("[table " + name + "]");
            assertThat(commands.ruleset()).contains("dormant");

            syncer.invalidate(changes);
            assertThat(syncer.run(node, Map.of()).result()).isEqualTo(new Result.InForce());
            assertThat(commands.ruleset()).isEqualTo(right);
        }
    }

    /** Also one that was dormant before the first sync. */
    @ParameterizedTest
    @EnumSource
    void isActivatedByTheFirstSync(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        try (NetNs ns = FreshNetNs.create()) {
            NetNsCommands commands = new NetNsCommands(ns);
            for (int start = 0; start < 2; start++) {
                try (ViewSyncer syncer =
                        new ViewSyncer(IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)))) {
                    assertThat(syncer.run(node, Samples.services(family, 3)).result())
                            .isEqualTo(new Result.InForce());
                }
                assertThat(commands.ruleset()).doesNotContain("dormant");
                commands.run("nft", "add", "table", NftFamily.of(family) + " filter", "{ flags dormant; }");
            }
        }
    }
}
