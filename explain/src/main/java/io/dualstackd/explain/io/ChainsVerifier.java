package io.dualstackd.explain.io;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.io.Kernel;
import io.dualstackd.dataplane.io.LegacyKernel;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.encoding.LegacyEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Fragment;
import io.dualstackd.dataplane.rules.iptables.Frame;
import io.dualstackd.dataplane.rules.iptables.FrameCompiler;
import io.dualstackd.dataplane.rules.iptables.IptablesText;
import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.RuleWalk;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.Ruleset;
import io.dualstackd.dataplane.rules.iptables.ServiceCompiler;
import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.explain.KernelFindings;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.Ip;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Walks a packet through the chains that a few Services need, and compares them with the kernel's: chains of a Service as a whole, and
 * its rules in shared and built-in chains one by one.
 */
public final class ChainsVerifier {
    private final Kernel kernel;
    private final Function<Rule, RuleImage> image;
    private final NodePlan node;
    private final List<String> deviations = new ArrayList<>();
    private Map<ChainId, List<KernelRule>> found = Map.of();

    private ChainsVerifier(Kernel kernel, Function<Rule, RuleImage> image, NodePlan node) {
        this.kernel = kernel;
        this.image = image;
        this.node = node;
    }

    /** For one question about the iptables tables of nf_tables. */
    public static ChainsVerifier of(NetlinkKernel.Open open, NodePlan node) {
        IptablesEncoding encoding = new IptablesEncoding(node.family(), key());
        return new ChainsVerifier(
                new NetlinkKernel(
                        node.family(),
                        encoding,
                        chain -> true,
                        chain -> false,
                        open,
                        new Generations(),
                        new RuleSetGate()),
                encoding::image,
                node);
    }

    /** For one question about iptables legacy. */
    public static ChainsVerifier ofLegacy(LegacyKernel.Open open, NodePlan node) {
        LegacyEncoding encoding = new LegacyEncoding(node.family(), key());
        return new ChainsVerifier(
                // Nothing is changed, so the lock is not needed.
                new LegacyKernel(node.family(), encoding, chain -> true, open, XtablesLock.ofHost(Duration.ZERO)),
                encoding::image,
                node);
    }

    private static PrintKey key() {
        SecureRandom random = new SecureRandom();
        return new PrintKey(random.nextLong(), random.nextLong());
    }

    /**
     * What happens to a packet in the iptables tables. To be called once.
     *
     * @param services those that may match the packet
     * @param nodeAddresses the node's own addresses of the family
     * @param remembering given names of affinity lists, returns those that hold the client
     */
    public KernelFindings verify(
            List<ServicePlan> services, Packet packet, Set<Ip> nodeAddresses, UnaryOperator<Set<String>> remembering) {
        Frame frame = FrameCompiler.compile(node);
        List<Fragment> fragments = services.stream()
                .map(service -> ServiceCompiler.compile(service, node))
                .toList();
        Ruleset rules = Ruleset.of(node.family(), frame, fragments);
        try (Kernel asked = kernel) {
            return switch (asked.read(rules.chains().keySet())) {
                case ReadResult.Failed(String reason) -> new KernelFindings.Silent(reason);
                case ReadResult.Found(KernelChains chains) -> {
                    found = chains.chains();
                    compare(frame, fragments);
                    List<End> ends = new RuleWalk(
                                    rules,
                                    nodeAddresses,
                                    (chain, rule) -> Optional.of(
                                            new Trail.Step(chain.table().toString(), line(chain, rule))))
                            .walk(packet, remembering.apply(affinityLists(rules)));
                    yield new KernelFindings.Found(deviations, ends);
                }
            };
        }
    }

    private String line(ChainId chain, Rule rule) {
        return IptablesText.line(node.family(), chain.name(), rule);
    }

    private static Set<String> affinityLists(Ruleset rules) {
        return rules.chains().values().stream()
                .flatMap(List::stream)
                .flatMap(rule -> rule.matches().stream())
                .flatMap(match ->
                        match instanceof Match.SeenWithin(String list, int ignored) ? Stream.of(list) : Stream.empty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void compare(Frame frame, List<Fragment> fragments) {
        frame.chains().forEach(this::whole);
        frame.shared().forEach(this::among);
        among(frame.jumps());
        for (Fragment fragment : fragments) {
            fragment.chains().forEach(this::whole);
            among(fragment.dispatch());
        }
    }

    private void whole(ChainId chain, List<Rule> wanted) {
        List<KernelRule> there = found.get(chain);
        if (there == null) {
            deviations.add("the chain " + chain + " is missing in the kernel");
            return;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (i >= there.size() || !there.get(i).print().equals(print(wanted.get(i)))) {
                deviations.add("the chain " + chain + " has another rule in the kernel at place " + (i + 1));
                return;
            }
        }
        if (there.size() > wanted.size()) {
            deviations.add("the chain " + chain + " has " + (there.size() - wanted.size()) + " rules too many");
        }
    }

    private void among(SortedMap<ChainId, List<Rule>> wanted) {
        wanted.forEach(this::among);
    }

    private void among(ChainId chain, List<Rule> wanted) {
        List<Fingerprint> there = found.getOrDefault(chain, List.of()).stream()
                .map(KernelRule::print)
                .toList();
        for (Rule rule : wanted) {
            if (!there.contains(print(rule))) {
                deviations.add("the chain " + chain + " lacks a rule in the kernel: " + line(chain, rule));
            }
        }
    }

    private Fingerprint print(Rule rule) {
        return image.apply(rule).print();
    }
}
