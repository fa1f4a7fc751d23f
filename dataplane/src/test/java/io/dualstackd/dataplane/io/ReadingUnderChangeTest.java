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
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A line reads everything again while the other one commits without a pause; the kernel counts both as changes of one rule set. */
@Tag("kernel")
class ReadingUnderChangeTest {
    private static final int SERVICES = 1_000;
    private static final NodeView NODE_4 = Samples.node(IpFamily.IPV4);
    private static final NodeView NODE_6 = Samples.node(IpFamily.IPV6);

    private static ViewSyncer pass(
            ProxyMode mode, IpFamily family, NetNs ns, Generations generations, RuleSetGate ruleSetGate) {
        NetlinkKernel.Open open = () -> NlSocket.open(NlProtocol.NETFILTER, ns);
        return new ViewSyncer(
                mode == ProxyMode.NFTABLES
                        ? NftablesSyncer.of(TableForm.plain(family), open, generations, ruleSetGate, Optional.empty())
                        : IptablesSyncer.of(family, open, generations, ruleSetGate));
    }

    private static Map<ServiceKey, Optional<ServiceView>> one(IpFamily family, int n, int endpoints) {
        ServiceView view = Samples.service(family, n, endpoints);
        return Map.of(view.key(), Optional.of(view));
    }

    @ParameterizedTest
    @EnumSource(names = {"NFTABLES", "IPTABLES"})
    void itIsDoneAllTheSame(ProxyMode mode) throws Exception {
        Generations generations = new Generations();
        RuleSetGate ruleSetGate = new RuleSetGate(Duration.ofMinutes(1));
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger changes = new AtomicInteger();
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer reading = pass(mode, IpFamily.IPV4, ns, generations, ruleSetGate);
                ViewSyncer changing = pass(mode, IpFamily.IPV6, ns, generations, ruleSetGate)) {
            Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
            for (int n = 0; n < SERVICES; n++) {
                all.putAll(one(IpFamily.IPV4, n, 3));
            }
            inForce(reading.run(NODE_4, all));
            inForce(changing.run(NODE_6, one(IpFamily.IPV6, 0, 1)));
            CompletableFuture<Void> change = CompletableFuture.runAsync(() -> {
                while (!enough.get()) {
                    inForce(changing.run(NODE_6, one(IpFamily.IPV6, 0, 1 + changes.getAndIncrement() % 2)));
                }
            });
            // Until both have had their turns.
            for (int round = 0; (round < 3 || changes.get() <= 3) && !change.isDone(); round++) {
                reading.invalidateAll();
                SyncResult report = inForce(reading.run(NODE_4, Map.of()));
                assertThat(report.messages()).as("nothing was wrong").isZero();
            }
            enough.set(true);
            change.get(1, TimeUnit.MINUTES);
            assertThat(changes).hasValueGreaterThan(3);
        }
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }
}
