package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlan.HealthCheck;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pages.health.io.HealthState;
import io.dualstackd.pages.health.io.ServiceHealthPorts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows one reconciler: which Services its sync reads, and whether the sync succeeded. Load balancers are notified of changes only after
 * that, so no client is sent to a node before its rules are in force. It runs on the reconciler's thread.
 */
final class ReconcilerHealth implements SyncObserver {
    private final IpFamily family;
    private final HealthState board;
    private final ServiceHealthPorts ports;
    /** The Services that changed since the last success. */
    private Set<ServiceKey> changed = new HashSet<>();
    /** The health checks read since the last success; changed Services are included even if they have none. */
    private Map<ServiceKey, HealthCheck> seen = new HashMap<>();

    /** The Services that have a node port, as the reconciler sees them. */
    private final Set<ServiceKey> withNodePort = new HashSet<>();

    private @Nullable NodePlan node;
    private boolean hasNodeIp;
    private volatile Optional<String> unanswered = Optional.empty();

    ReconcilerHealth(IpFamily family, HealthState board, ServiceHealthPorts ports) {
        this.family = family;
        this.board = board;
        this.ports = ports;
    }

    @Override
    public void onStart() {
        board.due(family);
        board.taken(family);
    }

    @Override
    public void onSnapshot(Planner planner, Set<ServiceKey> nowChanged, ChangeMetadata metadata) {
        node = planner.nodePlan();
        hasNodeIp = planner.node().nodeIp().isPresent();
        changed.addAll(nowChanged);
    }

    @Override
    public void onAllServices() {
        withNodePort.clear();
    }

    @Override
    public void onService(ServiceKey key, Optional<ServicePlan> plan) {
        HealthCheck check = plan.map(ServicePlan::health).orElse(HealthCheck.NONE);
        if (check.nodePort() != 0 || changed.contains(key)) {
            seen.put(key, check);
        }
        if (plan.isPresent() && plan.get().hasNodePort()) {
            withNodePort.add(key);
        } else {
            withNodePort.remove(key);
        }
    }

    @Override
    public void onStatus(FamilyStatus status) {
        switch (status.state()) {
            case IN_FORCE -> inForce(status);
            case FAILING -> board.failing(family);
            case WAITING, STOPPED -> {}
        }
    }

    IpFamily family() {
        return family;
    }

    /** The message about node ports for which the node has no address. */
    Optional<String> unansweredNodePorts() {
        return unanswered;
    }

    private Optional<String> unanswered(NodePlan now) {
        boolean none = !hasNodeIp
                || (now.nodePorts() instanceof NodePortMatch.Only only
                        && only.addresses().isEmpty());
        return none && !withNodePort.isEmpty()
                ? Optional.of(family + ": node ports of " + withNodePort.size()
                        + (withNodePort.size() == 1 ? " Service" : " Services")
                        + " have no address of this node to answer on")
                : Optional.empty();
    }

    private void inForce(FamilyStatus status) {
        if (node == null) {
            return;
        }
        unanswered = unanswered(node);
        // A Service whose rules the kernel refuses is not served here, whatever its endpoints, unless earlier rules
        // stay.
        Set<ServiceKey> refused = new HashSet<>(
                status.lastSync().map(SyncResult::leftOut).orElse(Map.of()).keySet());
        refused.removeAll(status.lastSync().map(SyncResult::kept).orElse(Set.of()));
        refused.forEach(key -> seen.computeIfPresent(key, (k, check) -> new HealthCheck(check.nodePort(), 0)));
        ports.after(family, node.nodePorts(), seen);
        // Clearing would cost the largest size they ever had.
        changed = new HashSet<>();
        seen = new HashMap<>();
        board.updated(family);
    }
}
