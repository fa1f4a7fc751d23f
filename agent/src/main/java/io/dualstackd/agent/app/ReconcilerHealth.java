package io.dualstackd.agent.app;

import io.dualstackd.agent.health.io.HealthState;
import io.dualstackd.agent.health.io.ServiceHealthPorts;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.io.DesiredState;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.WantedServices;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.ServicePlan.HealthCheck;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows one reconciler: which Services its sync reads, and whether the sync succeeded. Load balancers are notified of changes only after
 * that, so no client is sent to a node before its rules are in force. It runs on the reconciler's thread.
 */
final class ReconcilerHealth implements DesiredState {
    private final IpFamily family;
    private final DesiredState input;
    private final HealthState board;
    private final ServiceHealthPorts ports;
    /** The Services that changed since the last success. */
    private final Set<ServiceKey> changed = new HashSet<>();
    /** The health checks read since the last success; a Service without health check only where it was looked up by name. */
    private final Map<ServiceKey, HealthCheck> seen = new HashMap<>();

    /** The Services that have a node port, as the reconciler sees them. */
    private final Set<ServiceKey> withNodePort = new HashSet<>();

    private @Nullable NodeView node;
    private volatile Optional<String> unanswered = Optional.empty();

    ReconcilerHealth(IpFamily family, DesiredState input, HealthState board, ServiceHealthPorts ports) {
        this.family = family;
        this.input = input;
        this.board = board;
        this.ports = ports;
    }

    @Override
    public boolean complete() {
        boolean complete = input.complete();
        if (complete) {
            board.due(family);
        }
        return complete;
    }

    @Override
    public Snapshot snapshot() {
        board.taken(family);
        Snapshot snapshot = input.snapshot();
        node = snapshot.node();
        changed.addAll(snapshot.changed());
        return new Snapshot(snapshot.node(), snapshot.addresses(), snapshot.changed(), new Watched(snapshot.wanted()));
    }

    private static HealthCheck check(ServiceView service) {
        // Most Services have none, and this is called for each of ten thousand.
        return service.ports().stream().anyMatch(port -> port.port().healthCheckNodePort() != 0)
                ? ServicePlanner.health(service)
                : HealthCheck.NONE;
    }

    /** Receives the status of the reconciler after every sync. */
    void onStatus(FamilyStatus status) {
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

    private Optional<String> unanswered(NodeView now) {
        boolean none = now.nodeIp().isEmpty()
                || (NodePlanner.plan(now).nodePorts() instanceof NodePortMatch.Only only
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
        changed.forEach(key -> seen.putIfAbsent(key, HealthCheck.NONE));
        // A Service whose rules the kernel refuses is not served here, whatever its endpoints, unless earlier rules
        // stay.
        Set<ServiceKey> refused = new HashSet<>(
                status.lastPass().map(SyncResult::leftOut).orElse(Map.of()).keySet());
        refused.removeAll(status.lastPass().map(SyncResult::kept).orElse(Set.of()));
        refused.forEach(key -> seen.computeIfPresent(key, (k, check) -> new HealthCheck(check.nodePort(), 0)));
        ports.after(family, NodePlanner.plan(node).nodePorts(), seen);
        changed.clear();
        seen.clear();
        board.updated(family);
    }

    private void note(ServiceKey key, Optional<ServiceView> service) {
        if (service.filter(ReconcilerHealth::hasNodePort).isPresent()) {
            withNodePort.add(key);
        } else if (!withNodePort.isEmpty()) {
            withNodePort.remove(key);
        }
    }

    private static boolean hasNodePort(ServiceView service) {
        return service.ports().stream().anyMatch(port -> port.port().nodePort() != 0);
    }

    /** Notes every Service that the sync reads. */
    private final class Watched implements WantedServices {
        private final WantedServices wanted;

        Watched(WantedServices wanted) {
            this.wanted = wanted;
        }

        @Override
        public Optional<ServiceView> find(ServiceKey key) {
            Optional<ServiceView> service = wanted.find(key);
            seen.put(key, service.map(ReconcilerHealth::check).orElse(HealthCheck.NONE));
            note(key, service);
            return service;
        }

        @Override
        public void forEach(Consumer<ServiceView> each) {
            withNodePort.clear();
            wanted.forEach(service -> {
                note(service.key(), Optional.of(service));
                HealthCheck check = check(service);
                if (check.nodePort() != 0 || seen.containsKey(service.key())) {
                    seen.put(service.key(), check);
                }
                each.accept(service);
            });
        }
    }
}
