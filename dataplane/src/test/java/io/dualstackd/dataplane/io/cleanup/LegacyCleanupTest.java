package io.dualstackd.dataplane.io.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a real kernel. */
@Tag("kernel")
final class LegacyCleanupTest {
    @TempDir
    private Path folder;

    private void iptables(NetNs ns, String arguments) throws Exception {
        var _ = new NetNsCommands(ns)
                .run("sh", "-c", "XTABLES_LOCKFILE=" + folder.resolve("theirs") + " iptables-legacy " + arguments);
    }

    /** As one in a container, which has another lock file. */
    @Test
    void tellsWhatWasRemovedBeforeAnotherProgramChangedATable() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            iptables(ns, "-t nat -N KUBE-SERVICES");
            iptables(ns, "-t filter -N KUBE-FORWARD");
            int[] looks = {0};
            IptablesCleanup.Result result = LegacyCleanup.clean(
                    IpFamily.IPV4, ns, new XtablesLock(folder.resolve("ours"), Duration.ZERO), (chains, jumps) -> {
                        if (++looks[0] == 2) {
                            change(ns);
                        }
                        return Ownership.cleanup(chains, jumps);
                    });
            assertThat(result)
                    .isInstanceOfSatisfying(
                            IptablesCleanup.Result.Failed.class,
                            failed -> assertThat(failed.reason())
                                    .startsWith("replace IPv4 table filter")
                                    .endsWith("; removed already: chains of nat"));
        }
    }

    /** After both tables have been read. */
    private void change(NetNs ns) {
        try {
            iptables(ns, "-t filter -A INPUT -j ACCEPT");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
