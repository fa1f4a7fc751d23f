package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A syncer that goes from change to change believes what a fresh one reads: after each of many random steps the fresh one finds
 * nothing to do.
 */
@Tag("kernel")
final class NftablesStepsTest {
    private static final long SEED = 20260114;
    private static final int STEPS = 150;
    private static final int SERVICES = 8;

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void changesAndAFreshStartAgree(IpFamily family) throws Exception {
        Random random = new Random(SEED);
        RandomServices services = new RandomServices(random, family);
        Map<ServiceKey, Optional<ServiceView>> now = new HashMap<>();
        NodeView node = services.node();
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass(family, ns)) {
            for (int step = 0; step < STEPS; step++) {
                Map<ServiceKey, Optional<ServiceView>> changes = services.changes(SERVICES);
                if (random.nextInt(5) == 0) {
                    node = services.node();
                }
                if (random.nextInt(10) == 0) {
                    syncer.invalidateAll();
                }
                now.putAll(changes);
                String which = "seed " + SEED + ", step " + step;
                inForce(which, syncer.run(node, changes));
                try (ViewSyncer fresh = pass(family, ns)) {
                    SyncResult found = inForce(which, fresh.run(node, now));
                    assertThat(found.ops()).as(which).isZero();
                }
            }
        }
    }

    private static SyncResult inForce(String which, SyncResult report) {
        assertThat(report.result()).as(which).isEqualTo(new Result.InForce());
        return report;
    }

    private static ViewSyncer pass(IpFamily family, NetNs ns) {
        return new ViewSyncer(NftablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)));
    }
}
