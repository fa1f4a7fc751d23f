package io.dualstackd.dataplane.flows.io;

import io.dualstackd.dataplane.flows.StaleFlows;
import io.dualstackd.dataplane.flows.SweepPlan;
import io.dualstackd.dataplane.flows.SweepReport;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.Errno;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes tracked connections of one family whose endpoint no longer serves, once the rules are changed: see {@link StaleFlows}. The
 * first sweep lists all UDP flows, because of changes before the start. Used by one thread; never throws for a failure of the kernel.
 */
public final class StaleFlowSweep implements AutoCloseable {
    /** The delay after which a failed sweep is repeated, if nothing changes before. */
    public static final Duration RETRY = Duration.ofSeconds(30);

    private static final String INCOMPLETE = "list connections: in " + ConntrackClient.WALK_ATTEMPTS
            + " attempts a part was lost in the receive buffer, so stale flows may be left";

    private final Open open;
    private final StaleFlows flows;
    private @Nullable ConntrackClient client;

    /** Opens a conntrack client; called again after a failure. */
    @FunctionalInterface
    public interface Open {
        ConntrackClient open() throws NetlinkException;
    }

    /** @param drainTcpAfter see {@link StaleFlows} */
    public StaleFlowSweep(IpFamily family, Open open, Optional<Duration> drainTcpAfter) {
        this.open = open;
        this.flows = new StaleFlows(family, drainTcpAfter);
    }

    /** See {@link StaleFlows#node}. */
    public void note(Planner planner) {
        flows.node(planner);
    }

    /**
     * Records a Service as a sync saw it: nothing newer, or flows would be judged by rules that are not in force yet.
     *
     * @param service empty when it is gone
     */
    public void note(ServiceKey key, Optional<ServiceView> service, Instant now) {
        flows.changed(key, service, now);
    }

    /** See {@link StaleFlows#suspectAll}. */
    public void suspectAll() {
        flows.suspectAll();
    }

    /** Deletes stale flows. To be called when the rules are in force as noted. */
    public SweepReport sweep(Instant now) {
        Optional<SweepPlan> plan = flows.plan(now);
        return plan.isEmpty() ? new SweepReport(0, 0, 0, Optional.empty(), flows.next()) : carryOut(plan.get(), now);
    }

    private SweepReport carryOut(SweepPlan plan, Instant now) {
        long seen = 0;
        long deleted = 0;
        boolean whole = true;
        try {
            ConntrackClient kernel = connected();
            for (FlowFilter filter : plan.filters()) {
                ConntrackClient.Walk walk = kernel.deleteIf(filter, plan.stale());
                seen += walk.seen();
                deleted += walk.deleted();
                whole &= walk.complete();
            }
            if (!whole) {
                return new SweepReport(
                        plan.filters().size(), seen, deleted, Optional.of(INCOMPLETE), Optional.of(now.plus(RETRY)));
            }
            flows.done(plan);
            return new SweepReport(plan.filters().size(), seen, deleted, Optional.empty(), flows.next());
        } catch (NetlinkException e) {
            close();
            return new SweepReport(
                    plan.filters().size(), seen, deleted, Optional.of(problem(e)), Optional.of(now.plus(RETRY)));
        }
    }

    private ConntrackClient connected() throws NetlinkException {
        ConntrackClient now = client;
        if (now == null) {
            now = open.open();
            client = now;
            // A request that every kernel with ctnetlink answers, to distinguish its absence from a refused dump.
            now.stats();
        }
        return now;
    }

    private static String problem(NetlinkException e) {
        String words = String.valueOf(e.getMessage());
        if (!(e instanceof NetlinkException.Refused refused)) {
            return words;
        }
        if (refused.errno().equals(Errno.EINVAL)) {
            return words
                    + "; this kernel cannot list connections, so UDP flows to endpoints that are gone stay until they"
                    + " time out: load nf_conntrack_netlink, or use a kernel with CONFIG_NF_CT_NETLINK";
        }
        if (refused.errno().equals(Errno.EPERM)) {
            return words + "; deleting connections needs CAP_NET_ADMIN in this network namespace";
        }
        return words;
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
