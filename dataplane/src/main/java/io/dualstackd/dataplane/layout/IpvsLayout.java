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
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Frame;
import io.dualstackd.dataplane.rules.iptables.IpvsFrameCompiler;
import io.dualstackd.dataplane.rules.iptables.IpvsServiceCompiler;
import io.dualstackd.dataplane.rules.iptables.Jumps;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.ip.Ip;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules around the virtual servers of IPVS mode. Used by one thread. */
public final class IpvsLayout implements Layout {
    private final Function<Rule, RuleImage> image;
    private final Predicate<ChainId> ours;
    private @Nullable OfNode current;

    private record OfNode(NodeView view, ServicePlanner planner, NodePlan plan, Set<Ip> own, Frame frame) {}

    /**
     * @param image what is compared and sent for a rule
     * @param ours whether a chain in the kernel is ours, whoever made it
     */
    public IpvsLayout(Function<Rule, RuleImage> image, Predicate<ChainId> ours) {
        this.image = image;
        this.ours = ours;
    }

    @Override
    public FragmentImage service(ServiceView service, NodeView node) {
        OfNode of = of(node);
        return FragmentImage.of(IpvsServiceCompiler.compile(of.planner.plan(service), of.plan, of.own), image);
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
        return Set.of();
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
            known = new OfNode(
                    node,
                    new ServicePlanner(node),
                    plan,
                    Set.copyOf(node.addresses()),
                    IpvsFrameCompiler.compile(plan));
            current = known;
        }
        return known;
    }
}
