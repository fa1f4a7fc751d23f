package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A line starts again over a full table while other programs change rules of theirs without a pause. */
@Tag("kernel")
class ReadingDuringForeignChangesTest {
    private static final int SERVICES = 600;
    private static final NodeView NODE = Samples.node(IpFamily.IPV4);

    private final OtherProgram.Meter meter = new OtherProgram.Meter();

    private ViewSyncer start(ProxyMode mode, NetNs ns) {
        NetlinkKernel.Open open = () -> new OtherProgram.Interleaved(NlSocket.open(NlProtocol.NETFILTER, ns), meter);
        return new ViewSyncer(
                mode == ProxyMode.NFTABLES
                        ? NftablesSyncer.of(
                                TableForm.plain(IpFamily.IPV4),
                                open,
                                new Generations(),
                                new RuleSetGate(),
                                Optional.empty())
                        : IptablesSyncer.of(IpFamily.IPV4, open, new Generations(), new RuleSetGate()));
    }

    private static Map<ServiceKey, Optional<ServiceView>> services(int changed) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            ServiceView view = Samples.service(IpFamily.IPV4, n, n < changed ? 2 : 5);
            all.put(view.key(), Optional.of(view));
        }
        return all;
    }

    private SyncResult restart(ProxyMode mode, NetNs ns, int changed) {
        try (ViewSyncer syncer = start(mode, ns)) {
            SyncResult report = syncer.run(NODE, services(changed));
            if (report.result() instanceof Result.Outdated) {
                // Nothing came between while it read, so it did not listen; from now on it does.
                report = syncer.run(NODE, Map.of());
            }
            assertThat(report.result()).isEqualTo(new Result.InForce());
            return report;
        }
    }

    /** Bytes that a start receives from the kernel when nothing changes beside it. */
    private long calmly(ProxyMode mode, NetNs ns) {
        assertThat(restart(mode, ns, 0).ops()).isPositive();
        meter.bytes = 0;
        assertThat(restart(mode, ns, 0).ops()).isZero();
        return meter.bytes;
    }

    /** Even the first pass is done, whatever the rate, and costs no more than some readings. */
    @ParameterizedTest
    @CsvSource({
        "NFTABLES, others, '', 20",
        "NFTABLES, others, '', 2",
        "IPTABLES, others, '', 500",
        "IPTABLES, others, '', 20",
        "IPTABLES, nat, POSTROUTING, 500",
        "IPTABLES, nat, POSTROUTING, 20",
        "IPTABLES, filter, FORWARD, 20"
    })
    void theFirstPassIsDone(ProxyMode mode, String table, String builtIn, int datagrams) throws Exception {
        try (NetNs ns = NetNs.create()) {
            long calm = calmly(mode, ns);
            try (OtherProgram other = new OtherProgram(ns, table, builtIn)) {
                meter.bytes = 0;
                meter.every(datagrams, other::commit);
                assertThat(restart(mode, ns, 3).ops()).isPositive();
                assertThat(other.commits()).as("changes by others meanwhile").isGreaterThan(3);
                assertThat(meter.bytes).as("read, calmly it is " + calm).isLessThan(5 * calm);
                meter.every(Integer.MAX_VALUE, () -> {});
                assertThat(restart(mode, ns, 3).ops()).as("wrong after all").isZero();
            }
        }
    }

    /** The same by the clock. */
    @ParameterizedTest
    @CsvSource({
        "NFTABLES, others, '', 1",
        "NFTABLES, others, '', 20",
        "NFTABLES, others, '', 200",
        "IPTABLES, nat, POSTROUTING, 1",
        "IPTABLES, nat, POSTROUTING, 20",
        "IPTABLES, nat, POSTROUTING, 200",
        "IPTABLES, others, '', 200"
    })
    void atSoManyChangesPerSecond(ProxyMode mode, String table, String builtIn, int rate) throws Exception {
        try (NetNs ns = NetNs.create()) {
            long calm = calmly(mode, ns);
            try (OtherProgram other = new OtherProgram(ns, table, builtIn);
                    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
                ScheduledFuture<?> committing =
                        clock.scheduleAtFixedRate(other::commit, 0, 1_000_000 / rate, TimeUnit.MICROSECONDS);
                for (int changed = 0; changed < 3; changed++) {
                    meter.bytes = 0;
                    restart(mode, ns, changed);
                    assertThat(meter.bytes).as("read, calmly it is " + calm).isLessThan(5 * calm);
                }
                assertThat(committing.isDone()).as("others were refused").isFalse();
                clock.shutdown();
                assertThat(clock.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
                assertThat(restart(mode, ns, 2).ops()).as("wrong after all").isZero();
            }
        }
    }
}
