package io.dualstackd.dataplane.layout;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.Layout;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.iptables.BuiltIn;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Fragment;
import io.dualstackd.dataplane.rules.iptables.Frame;
import io.dualstackd.dataplane.rules.iptables.FrameCompiler;
import io.dualstackd.dataplane.rules.iptables.IpvsFrameCompiler;
import io.dualstackd.dataplane.rules.iptables.IpvsServiceCompiler;
import io.dualstackd.dataplane.rules.iptables.Jumps;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.ServiceCompiler;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.ip.Ip;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The layout of kube-proxy's chains: {@code KUBE-SERVICES}, {@code KUBE-SVC-…}, {@code KUBE-SEP-…}; or the part of it that IPVS
 * mode uses beside virtual servers. Used by one thread.
 */
public final class IptablesLayout implements Layout {
    private final Function<Rule, RuleImage> image;
    private final Predicate<ChainId> ours;
    private final Mode mode;
    private @Nullable OfNode current;

    /** Compiles the rules of a node and those of its Services. */
    private interface Mode {
        Rules rules(NodeView node, NodePlan plan);
    }

    private record Rules(Frame frame, Function<ServicePlan, Fragment> services) {}

    private record OfNode(NodeView view, ServicePlanner planner, NodePlan plan, Rules rules) {}

    private IptablesLayout(Function<Rule, RuleImage> image, Predicate<ChainId> ours, Mode mode) {
        this.image = image;
        this.ours = ours;
        this.mode = mode;
    }

    /**
     * The layout of iptables mode.
     *
     * @param image what is compared and sent for a rule
     * @param ours whether a chain in the kernel belongs to this layout, whichever program made it
     */
    public IptablesLayout(Function<Rule, RuleImage> image, Predicate<ChainId> ours) {
        this(
                image,
                ours,
                (node, plan) ->
                        new Rules(FrameCompiler.compile(plan), service -> ServiceCompiler.compile(service, plan)));
    }

    /** The layout of IPVS mode, where virtual servers choose the endpoint. */
    public static IptablesLayout aroundServers(Function<Rule, RuleImage> image, Predicate<ChainId> ours) {
        return new IptablesLayout(image, ours, (node, plan) -> {
            Set<Ip> own = Set.copyOf(node.addresses());
            return new Rules(
                    IpvsFrameCompiler.compile(plan), service -> IpvsServiceCompiler.compile(service, plan, own));
        });
    }

    @Override
    public FragmentImage service(ServiceView service, NodeView node) {
        OfNode of = of(node);
        return FragmentImage.of(of.rules.services().apply(of.planner.plan(service)), image);
    }

    @Override
    public FragmentImage frame(NodeView node) {
        return FragmentImage.of(of(node).rules.frame(), image);
    }

    @Override
    public Set<ChainId> shared(NodeView node) {
        return of(node).rules.frame().shared().keySet();
    }

    @Override
    public Set<ChainId> guest(NodeView node) {
        return of(node).rules.frame().jumps().keySet().stream()
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
            known = new OfNode(node, new ServicePlanner(node), plan, mode.rules(node, plan));
            current = known;
        }
        return known;
    }
}
