package io.dualstackd.pods.endpoint;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.Pods;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Applies the state of this node's pods to the endpoints of all Services. Not thread-safe: the store calls it under its lock. */
public final class LocalPods implements StoreOverlay {
    private final SelectorEndpoints selectors;
    private final DeadEndpointFilter failover;
    private final EndpointIndex names = new EndpointIndex();
    private final boolean selectorsWanted;
    private final boolean failoverWanted;
    private volatile FailoverCount count = new FailoverCount(0, 0, 0);

    /** Makes endpoints of selectors, for a node without a cluster. */
    public LocalPods(String node, boolean failoverWanted) {
        this(node, true, failoverWanted);
    }

    /**
     * @param node this node's name, set on the endpoints of its pods
     * @param selectorsWanted Services with a selector get endpoints here. Not in a cluster: its controller makes them, and knows what the
     *     runtime does not, the readiness of pods and which of them are being deleted
     * @param failoverWanted endpoints of dead pods are hidden
     */
    public LocalPods(String node, boolean selectorsWanted, boolean failoverWanted) {
        this.selectors = new SelectorEndpoints(node);
        this.selectorsWanted = selectorsWanted;
        this.failover = new DeadEndpointFilter(node);
        this.failoverWanted = failoverWanted;
    }

    /**
     * Failovers since the start.
     *
     * @param addresses of pods that were found dead while a source listed them as ready
     * @param endpoints that were hidden then, each counted for its Service
     * @param hidden endpoints that are hidden now
     */
    public record FailoverCount(long addresses, long endpoints, int hidden) {}

    /**
     * The slices generated from pods of this node, ordered by namespace and name. May be called from any thread.
     *
     * @param zone the node's, may be empty
     */
    public List<GeneratedSlice> slices(String zone) {
        return selectors.slices(zone);
    }

    /** May be called from any thread. */
    public FailoverCount count() {
        return count;
    }

    /**
     * Applies a change of the pods.
     *
     * @param states the state of every service
     */
    public LocalChanges changed(Pods before, Pods after, Map<ServiceKey, ServiceState> states) {
        List<Update> updates = selectorsWanted ? selectors.pods(after) : List.of();
        Set<Ip> alive = after.liveIps();
        Set<Ip> aliveBefore = before.liveIps();
        Set<ServiceKey> touched = new HashSet<>(failover.lives(alive));
        if (failoverWanted) {
            // Scans all remaining portions now: a pod may have died before they were done.
            while (names.isLearning()) {
                names.learn(states);
            }
            Set<Ip> dead = new HashSet<>(aliveBefore);
            dead.removeAll(alive);
            if (!dead.isEmpty()) {
                touched.addAll(failover.died(dead, names, states));
            }
            names.follow(alive, states);
        }
        recount();
        return new LocalChanges(updates, touched);
    }

    /**
     * Scans a portion of the Services for the addresses of new pods, before one of them dies.
     *
     * @param states the state of every service
     * @return whether there is more
     */
    public boolean learn(Map<ServiceKey, ServiceState> states) {
        if (names.isLearning()) {
            names.learn(states);
        }
        return names.isLearning();
    }

    /** Addresses of endpoints that have been read so far. */
    long lookups() {
        return names.lookups();
    }

    private void recount() {
        count = new FailoverCount(failover.count().addresses(), failover.count().endpoints(), failover.hiddenNow());
    }

    @Override
    public List<Update> derived(List<Update> updates) {
        return selectorsWanted ? selectors.sources(updates) : List.of();
    }

    @Override
    public void delivered(List<Update> updates) {
        selectors.delivered(updates);
    }

    @Override
    public void onReplaced(ServiceKey key, ServiceState now) {
        failover.onReplaced(key, now);
        if (failoverWanted) {
            names.onReplaced(key, now);
        }
        recount();
    }

    @Override
    public ServiceState shown(ServiceKey key, ServiceState state) {
        return failover.shown(key, state);
    }
}
