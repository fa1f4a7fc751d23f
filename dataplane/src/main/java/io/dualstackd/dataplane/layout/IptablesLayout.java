package io.dualstackd.dataplane.layout;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.Layout;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.iptables.BuiltIn;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Frame;
import io.dualstackd.dataplane.rules.iptables.FrameCompiler;
import io.dualstackd.dataplane.rules.iptables.Jumps;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.ServiceCompiler;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The layout kube-proxy made known: {@code KUBE-SERVICES}, {@code KUBE-SVC-…}, {@code KUBE-SEP-…}. Used by one thread. */
public final class IptablesLayout implements Layout {
    private final Function<Rule, RuleImage> image;
    private final Predicate<ChainId> ours;
    private @Nullable OfNode current;

    private record OfNode(NodeView view, ServicePlanner planner, NodePlan plan, Frame frame) {}

    /**
     * @param image what is compared and sent for a rule
     * @param ours whether a chain in the kernel is of this layout, whoever made it
     */
    public IptablesLayout(Function<Rule, RuleImage> image, Predicate<ChainId> ours) {
        this.image = image;
        this.ours = ours;
    }

    @Override
    public FragmentImage service(ServiceView service, NodeView node) {
        OfNode of = of(node);
        return FragmentImage.of(ServiceCompiler.compile(of.planner.plan(service), of.plan), image);
    }

    @Override
    public FragmentImage frame(NodeView node) {
        return FragmentImage.of(of(node).frame, image);
    }

    @Override
    public Set<ChainId> shared(NodeView node) {
        return of(node).frame.shared().keySet();
    }

    @Override
    public Set<ChainId> guest(NodeView node) {
        return of(node).frame.jumps().keySet().stream()
                .filter(chain -> !BuiltIn.contains(chain))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Set<Fingerprint> jumps(NodeView node) {
        return Jumps.ofAllModes(of(node).plan).stream()
                .map(rule -> image.apply(rule).print())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Set<Table> tables() {
        return EnumSet.allOf(Table.class);
    }

    @Override
    public boolean ours(ChainId chain) {
        return ours.test(chain);
    }

    private OfNode of(NodeView node) {
        OfNode known = current;
        if (known == null || !known.view.equals(node)) {
            NodePlan plan = NodePlanner.plan(node);
            known = new OfNode(node, new ServicePlanner(node), plan, FrameCompiler.compile(plan));
            current = known;
        }
        return known;
    }
}
