package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The counters of rules, in iptables legacy, where each change replaces the whole table. */
@Tag("kernel")
final class LegacyConnectionCountsTest extends RuleConnectionCountsContract {
    @Override
    Counted counted(IpFamily of) {
        XtablesLock lock = new XtablesLock(Path.of("target/counts-xtables.lock"), Duration.ofSeconds(20));
        IptablesSyncer syncer = IptablesSyncer.ofLegacy(of, () -> XtTableClient.open(of, ns), lock);
        return new Counted(
                new ViewSyncer(syncer),
                RuleConnectionCounts.ofLegacy(of, ns, syncer.counters().orElseThrow()));
    }

    @Override
    String variant() {
        return "legacy";
    }

    @Override
    void invalidate(String chain) {
        syncer().invalidateAll();
    }

    @Override
    void flush() throws Exception {
        for (String table : new String[] {"filter", "nat", "mangle"}) {
            iptables("-t", table, "-F");
            iptables("-t", table, "-X");
        }
    }
}
