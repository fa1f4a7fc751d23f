package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Belief;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Layout;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.PassReport;
import io.dualstackd.dataplane.diff.PassReport.Result;
import io.dualstackd.dataplane.diff.PassReport.Totals;
import io.dualstackd.dataplane.diff.Reconciliation;
import io.dualstackd.dataplane.diff.TransactionDraft;
import io.dualstackd.dataplane.io.Kernel.Reading;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.netlink.ip.IpFamily;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The line of one family from views to the kernel. Owns what is wanted and what is believed; one call of {@link #run} is one
 * pass: take the changes, compare, apply one transaction, believe its answer. Used by one thread.
 */
public final class DataplanePass implements AutoCloseable {
    private final Kernel kernel;
    private final Layout layout;

    private final Map<ServiceKey, ServiceView> wanted = new HashMap<>();
    private final Set<ServiceKey> dirty = new HashSet<>();
    private final Refusals refusals = new Refusals();
    private @Nullable NodeView node;
    private @Nullable Belief belief;
    private boolean nodeChanged;
    private int servicePorts;
    private int endpoints;

    public DataplanePass(Kernel kernel, Layout layout) {
        this.kernel = kernel;
        this.layout = layout;
    }

    /** The pass of iptables mode in one family. Every pass takes a fingerprint key of its own. */
    public static DataplanePass iptables(IpFamily family, NetlinkKernel.Open open) {
        SecureRandom random = new SecureRandom();
        IptablesEncoding encoding = new IptablesEncoding(family, new PrintKey(random.nextLong(), random.nextLong()));
        NetlinkKernel kernel =
                new NetlinkKernel(family, encoding, chain -> chain.name().startsWith("KUBE-"), open);
        return new DataplanePass(kernel, new IptablesLayout(encoding::image, Ownership::ours));
    }

    /**
     * Brings the kernel to what is wanted after these changes.
     *
     * @param changed Services that changed since the last call; nothing for one that is gone
     */
    public PassReport run(NodeView nodeNow, Map<ServiceKey, Optional<ServiceView>> changed) {
        changed.forEach(this::want);
        if (!nodeNow.equals(node)) {
            node = nodeNow;
            nodeChanged = true;
        }
        return belief == null ? compareAll(nodeNow) : changeOnly(nodeNow, belief);
    }

    /** The next {@link #run} reads the kernel and compares in full. */
    public void forget() {
        belief = null;
    }

    /** Forgets when somebody else may have changed the rules; says whether it did. */
    public boolean forgetIfChanged() {
        if (belief != null && kernel.changedByOthers()) {
            forget();
            return true;
        }
        return false;
    }

    /** Tries Services again that the kernel refused. */
    public void forgive() {
        refusals.forgive();
        forget();
    }

    @Override
    public void close() {
        kernel.close();
    }

    private void want(ServiceKey key, Optional<ServiceView> now) {
        dirty.add(key);
        refusals.forgive(key);
        Optional<ServiceView> present = now.filter(view -> !view.ports().isEmpty());
        ServiceView before = present.isPresent() ? wanted.put(key, present.get()) : wanted.remove(key);
        servicePorts += present.map(view -> view.ports().size()).orElse(0)
                - (before == null ? 0 : before.ports().size());
        endpoints += present.map(DataplanePass::endpointsOf).orElse(0) - (before == null ? 0 : endpointsOf(before));
    }

    private static int endpointsOf(ServiceView view) {
        int count = 0;
        for (PortView port : view.ports()) {
            count += port.endpoints().size();
        }
        return count;
    }

    private PassReport compareAll(NodeView nodeNow) {
        return switch (kernel.read()) {
            case Reading.Failed(String reason) -> report(new Result.Unreachable(reason), true, 0, 0, 0);
            case Reading.Found(KernelChains found) -> {
                Belief fresh = new Belief(Reconciliation.contents(found, layout, nodeNow));
                Kernel.Batch batch = kernel.begin();
                TransactionDraft draft = new TransactionDraft(fresh.contents(), batch::add);
                Reconciliation.compare(found, layout, nodeNow, refusals.without(wanted), refusals.stuckChains(), draft);
                yield commit(batch, draft, fresh, true);
            }
        };
    }

    private PassReport changeOnly(NodeView nodeNow, Belief now) {
        Kernel.Batch batch = kernel.begin();
        TransactionDraft draft = new TransactionDraft(now.contents(), batch::add);
        if (nodeChanged) {
            layout.shared(nodeNow).stream().sorted().forEach(draft::ensureShared);
            layout.guest(nodeNow).stream().sorted().forEach(draft::ensureShared);
            draft.change(Origin.NODE, now.frame(), layout.frame(nodeNow));
            dirty.addAll(wanted.keySet());
        }
        for (ServiceKey key : dirty) {
            ServiceView view = refusals.leftOut(key) ? null : wanted.get(key);
            draft.change(
                    new Origin.OfService(key),
                    now.of(key),
                    view == null ? FragmentImage.NOTHING : layout.service(view, nodeNow));
        }
        draft.finish();
        return commit(batch, draft, now, false);
    }

    private PassReport commit(Kernel.Batch batch, TransactionDraft draft, Belief base, boolean comparedAll) {
        int ops = batch.size();
        Outcome outcome = ops == 0 ? new Outcome.Applied(List.of(), 0, 0) : batch.commit();
        return switch (outcome) {
            case Outcome.Applied applied
            when applied.placed().size() != draft.placements() ->
                failed(
                        new Result.Unreachable("the kernel took the transaction, but told only "
                                + applied.placed().size() + " of " + draft.placements() + " handles of new rules"),
                        comparedAll,
                        ops);
            case Outcome.Applied applied -> {
                base.apply(draft.after(applied.placed()));
                belief = base;
                dirty.clear();
                nodeChanged = false;
                refusals.settled();
                yield report(new Result.InForce(), comparedAll, ops, applied.messages(), applied.bytes());
            }
            case Outcome.Refused refused -> {
                refusals.note(refused.refusals());
                yield failed(new Result.Refused(refused.refusals()), comparedAll, ops);
            }
            case Outcome.Outdated ignored -> failed(new Result.Outdated(), comparedAll, ops);
            case Outcome.Unreachable(String reason) -> failed(new Result.Unreachable(reason), comparedAll, ops);
        };
    }

    private PassReport failed(Result result, boolean comparedAll, int ops) {
        forget();
        return report(result, comparedAll, ops, 0, 0);
    }

    private PassReport report(Result result, boolean comparedAll, int ops, int messages, long bytes) {
        Totals totals = new Totals(
                wanted.size(),
                servicePorts,
                endpoints,
                belief == null ? 0 : belief.chainCount(),
                belief == null ? 0 : belief.ruleCount());
        return new PassReport(result, comparedAll, ops, messages, bytes, totals, refusals.leftOut());
    }
}
