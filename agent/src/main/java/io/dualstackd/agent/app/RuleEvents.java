package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.DriftRepairPolicy.Contested;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.watch.ChangeAuthor;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventSink;
import java.util.Optional;

/** Events about the rules of one family: repairs, conflicts with other programs, failures. They concern the node. */
final class RuleEvents implements SyncObserver {
    private final IpFamily family;
    private final String node;
    private final EventSink events;
    private boolean contested;
    private String failure = "";

    RuleEvents(IpFamily family, String node, EventSink events) {
        this.family = family;
        this.node = node;
        this.events = events;
    }

    @Override
    public void onRepair(ChangeAuthor by, String what) {
        events.happened(ClusterEvent.rulesRepaired(node, family, name(by), what));
    }

    @Override
    public void onStatus(FamilyStatus status) {
        Optional<Contested> now = status.contested();
        if (now.isPresent() && !contested) {
            events.happened(ClusterEvent.rulesContested(
                    node, family, name(now.get().by()), now.get().what()));
        }
        contested = now.isPresent();
        if (status.state() == State.FAILING && !status.lastError().equals(failure)) {
            failure = status.lastError();
            events.happened(ClusterEvent.syncFailed(node, family, failure));
        } else if (status.state() == State.IN_FORCE && !failure.isEmpty()) {
            failure = "";
            events.happened(ClusterEvent.syncRecovered(node, family));
        }
    }

    /** Without the process id, so that changes by two runs of a program are one event. */
    private static String name(ChangeAuthor by) {
        return by.process().isEmpty() ? "another program" : by.process();
    }
}
