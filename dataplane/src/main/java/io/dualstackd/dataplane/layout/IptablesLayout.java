package io.dualstackd.dataplane.layout;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.Layout;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.plan.CompilationException;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
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
import java.util.List;
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
    /** Whether the guard before 127.0.0.0/8 was ever wanted; then it stays, because the kernel setting behind it does. */
    private boolean guarded;

    /** Compiles the rules of a node and those of its Services. */
    private interface Mode {
        Rules rules(NodeView node, NodePlan plan);

        /** Whether the rules depend on the addresses of the node. */
        default boolean usesAddresses() {
            return false;
        }
    }

    private record Rules(Frame frame, Function<ServicePlan, Fragment> services) {}

    private record OfNode(Planner planner, Rules rules) {}

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
        return new IptablesLayout(image, ours, new Mode() {
            @Override
            public Rules rules(NodeView node, NodePlan plan) {
                List<Ip> addresses = node.stableAddresses();
                Set<Ip> own = Set.copyOf(addresses);
                return new Rules(
                        IpvsFrameCompiler.compile(plan, plan.nodePorts().withServers(addresses)),
                        service -> IpvsServiceCompiler.compile(service, plan, own));
            }

            @Override
            public boolean usesAddresses() {
                return true;
            }
        });
    }

    @Override
    public FragmentImage service(ServicePlan service, Planner planner) {
        return CompilationException.compile(
                service, plan -> FragmentImage.of(of(planner).rules.services().apply(plan), image));
    }

    @Override
    public FragmentImage frame(Planner planner) {
        return FragmentImage.of(of(planner).rules.frame(), image);
    }

    @Override
    public Set<ChainId> shared(Planner planner) {
        return of(planner).rules.frame().shared().keySet();
    }

    @Override
    public Set<ChainId> guest(Planner planner) {
        return of(planner).rules.frame().jumps().keySet().stream()
                .filter(chain -> !BuiltIn.contains(chain))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Set<Fingerprint> jumps(Planner planner) {
        return Jumps.ofAllModes(plan(planner)).stream()
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

    @Override
    public boolean same(Planner before, Planner now) {
        return now.plansAs(before)
                && (!mode.usesAddresses()
                        || now.node().stableAddresses().equals(before.node().stableAddresses()));
    }

    private OfNode of(Planner planner) {
        OfNode known = current;
        if (known == null || known.planner != planner) {
            known = new OfNode(planner, mode.rules(planner.node(), plan(planner)));
            current = known;
        }
        return known;
    }

    private NodePlan plan(Planner planner) {
        NodePlan plan = planner.nodePlan();
        guarded |= plan.guardLoopback();
        return guarded ? plan.withGuard() : plan;
    }
}
