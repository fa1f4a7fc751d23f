package io.dualstackd.agent.reconcile.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.FakeKernel;
import io.dualstackd.dataplane.io.FixedPlans;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.supervision.sys.SimulatedPlatform;
import io.dualstackd.supervision.sys.Trace;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A chain of a Service that is gone, to which a rule of another program jumps: the status asks to delete that rule. */
final class ChainsOfOthersJumpsTest {
    private static final ChainId THEIRS = new ChainId(Table.NAT, "THEIRS");

    private final SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
    private final FakeKernel kernel = new FakeKernel();
    private final Map<ServiceKey, ServiceView> services = new HashMap<>();

    private final class Input implements DesiredState {
        private final Planner planner = Planner.of(Samples.node(IpFamily.IPV4));

        @Override
        public boolean complete() {
            return true;
        }

        @Override
        public Snapshot snapshot(BrokenServices broken) {
            Set<ServiceKey> all = Set.of(Samples.service(IpFamily.IPV4, 1, 1).key());
            return new Snapshot(planner, all, new FixedPlans(planner, services), ChangeMetadata.NONE);
        }
    }

    private List<ChainId> emptied(FamilyReconciler reconciler) {
        return reconciler.status().lastSync().map(SyncResult::emptied).orElseThrow();
    }

    private List<ChainId> chains() {
        return kernel.content().keySet().stream()
                .filter(chain -> chain.name().startsWith("KUBE-SVC-"))
                .toList();
    }

    @Test
    void isDeletedOnceNothingJumpsToIt() throws Exception {
        ServiceView service = Samples.service(IpFamily.IPV4, 1, 1);
        services.put(service.key(), service);
        platform.run(() -> {
            FamilyReconciler reconciler = new FamilyReconciler(
                    IpFamily.IPV4,
                    new IptablesSyncer(kernel, Samples.layoutByText()),
                    new StaleFlowSweep(
                            IpFamily.IPV4,
                            () -> {
                                throw new NetlinkException.Closed("list flows");
                            },
                            Optional.empty()),
                    new Input(),
                    new Wakeup(platform, () -> {}),
                    new SyncIntervals(Duration.ZERO, Duration.ofSeconds(1)),
                    List.of());
            reconciler.start();
            platform.sleep(Duration.ofSeconds(5));
            ChainId chain = chains().getFirst();
            Rule jump = Rule.of(new Target.Jump(chain.name()));
            kernel.foreignRule(THEIRS, Samples.imageByText(jump));
            services.clear();
            platform.sleep(Duration.ofSeconds(20));
            assertThat(emptied(reconciler)).containsExactly(chain);

            kernel.meddle(THEIRS, List::clear);
            platform.sleep(FamilyReconciler.RETRY_REFUSED_AFTER.plusSeconds(20));
            assertThat(chains()).isEmpty();
            assertThat(emptied(reconciler)).isEmpty();
            reconciler.close();
        });
    }
}
