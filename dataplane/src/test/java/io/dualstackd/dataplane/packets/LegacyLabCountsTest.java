package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.counters.io.RuleConnectionCounts;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** What the rules of iptables legacy count. */
@Tag("kernel")
final class LegacyLabCountsTest extends LabCountsContract {
    @Override
    Counted counted(IpFamily family, NetNs node) {
        XtablesLock lock = new XtablesLock(Path.of("target/counts-xtables.lock"), Duration.ofSeconds(20));
        IptablesSyncer syncer = IptablesSyncer.ofLegacy(family, () -> XtTableClient.open(family, node), lock);
        return new Counted(
                syncer,
                RuleConnectionCounts.ofLegacy(family, node, syncer.counters().orElseThrow()));
    }
}
