package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;

/**
 * Plans one family on one node: what all Services share, and each Service.
 *
 * <p>Immutable; make a new one when the view of the node changes.
 */
public final class Planner {
    private final NodeView node;
    private final NodePlan nodePlan;
    private final ServicePlanner services;

    private Planner(NodeView node) {
        this.node = node;
        this.nodePlan = NodePlanner.plan(node);
        this.services = new ServicePlanner(node);
    }

    public static Planner of(NodeView node) {
        return new Planner(node);
    }

    public NodeView node() {
        return node;
    }

    /** The plan of the node, which all Services share. */
    public NodePlan nodePlan() {
        return nodePlan;
    }

    public ServicePlan plan(ServiceView service) {
        return services.plan(service);
    }

    /** Whether every Service is planned as with {@code other}: addresses and networks of the node have no influence. */
    public boolean plansServicesAs(Planner other) {
        return node.name().equals(other.node.name())
                && node.zone().equals(other.node.zone())
                && node.nodeIp().equals(other.node.nodeIp());
    }

    /** Whether what all Services share, and every Service, is planned as with {@code other}. */
    public boolean plansAs(Planner other) {
        return nodePlan.equals(other.nodePlan) && plansServicesAs(other);
    }
}
