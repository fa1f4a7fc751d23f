package io.dualstackd.dataplane.rules.iptables;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which chains and jumps found in the kernel belong to dualstackd and may be deleted. Those of kube-proxy do, too, because it
 * is replaced. Those of kubelet never do ({@code KUBE-IPTABLES-HINT}, {@code KUBE-KUBELET-CANARY}, {@code KUBE-MARK-DROP}), and neither
 * does {@code KUBE-FIREWALL} where one of these shows that there is a kubelet.
 */
public final class Ownership {
    /** Chains of kube-proxy's IPVS mode that the IPVS mode of dualstackd does not use. */
    private static final String LOAD_BALANCER = "KUBE-LOAD-BALANCER";

    private static final String IPVS_OUT_FILTER = "KUBE-IPVS-OUT-FILTER";
    private static final String SOURCE_RANGES = "KUBE-SOURCE-RANGES-FIREWALL";

    private static final Map<Table, Set<String>> NODE_CHAINS = Map.of(
            Table.MANGLE,
            Set.of(ChainNames.CANARY, ChainNames.PROXY_FIREWALL),
            Table.NAT,
            Set.of(
                    ChainNames.CANARY,
                    ChainNames.SERVICES,
                    ChainNames.NODE_PORTS,
                    ChainNames.POSTROUTING,
                    ChainNames.MARK_MASQ,
                    ChainNames.NODE_PORT,
                    ChainNames.LOOP_BACK,
                    ChainNames.IPVS_SERVICES,
                    LOAD_BALANCER),
            Table.FILTER,
            Set.of(
                    ChainNames.CANARY,
                    ChainNames.SERVICES,
                    ChainNames.EXTERNAL_SERVICES,
                    ChainNames.NODE_PORTS,
                    ChainNames.PROXY_FIREWALL,
                    ChainNames.FORWARD,
                    ChainNames.NODE_PORT,
                    ChainNames.IPVS_FILTER,
                    ChainNames.IPVS_IPS,
                    ChainNames.IPVS_NODE_PORTS,
                    IPVS_OUT_FILTER,
                    SOURCE_RANGES));

    /** Chains that only a kubelet makes. */
    private static final Set<String> KUBELETS = Set.of("KUBE-IPTABLES-HINT", "KUBE-KUBELET-CANARY", "KUBE-MARK-DROP");

    private static final ChainId FIREWALL = new ChainId(Table.FILTER, ChainNames.FIREWALL);

    private Ownership() {}

    /**
     * A rule in a chain of another program.
     *
     * @param to empty for a rule that is no jump
     * @param comment empty when the rule has none
     * @param always whether it has neither matches nor a comment, so that every packet follows it
     * @param handle the kernel's handle of the rule; not interpreted, only returned
     */
    public record FoundJump(ChainId in, String to, String comment, boolean always, long handle) {}

    /**
     * What {@code cleanup} removes, in this order.
     *
     * @param jumps rules to delete from chains of others
     * @param flush own chains to empty; all of them, since they jump to each other
     * @param delete chains to delete after that; those of {@code flush} except where a rule of another program jumps to one, which
     *     would make the kernel refuse everything
     */
    public record Removal(List<FoundJump> jumps, SortedSet<ChainId> flush, SortedSet<ChainId> delete) {
        public boolean isNothing() {
            return jumps.isEmpty() && flush.isEmpty();
        }
    }

    /** Whether {@code chain} belongs to dualstackd: to a Service, or to those that every node has. */
    public static boolean ours(ChainId chain) {
        return ofService(chain)
                || NODE_CHAINS.getOrDefault(chain.table(), Set.of()).contains(chain.name());
    }

    /** Whether {@code chain} belongs to one Service. */
    public static boolean ofService(ChainId chain) {
        return switch (chain.table()) {
            case NAT -> ChainNames.SERVICE_PREFIXES.stream().anyMatch(chain.name()::startsWith);
            case MANGLE -> chain.name().startsWith(ChainNames.FIREWALL_PREFIX);
            case FILTER -> false;
        };
    }

    /**
     * Whether a rule is a jump of dualstackd: it is in a built-in chain, jumps to an own chain, and has the comment of own jumps. An
     * administrator's jump to an own chain is not.
     */
    public static boolean ours(FoundJump jump) {
        return BuiltIn.contains(jump.in())
                && knownJumps(jump.in().table())
                        .anyMatch(known ->
                                known.to().equals(jump.to()) && known.comment().equals(jump.comment()));
    }

    /** The objects to remove so that nothing of dualstackd is left and no foreign object is touched. */
    public static Removal cleanup(Collection<ChainId> found, Collection<FoundJump> jumps) {
        SortedSet<ChainId> flush =
                found.stream().filter(Ownership::ours).collect(Collectors.toCollection(TreeSet::new));
        SortedSet<ChainId> delete = new TreeSet<>(flush);
        jumps.stream()
                .filter(jump -> !ours(jump) && !ours(jump.in()))
                .forEach(jump -> delete.remove(new ChainId(jump.in().table(), jump.to())));
        return new Removal(jumps.stream().filter(Ownership::ours).toList(), flush, delete);
    }

    /** Whether {@code chain} is the one that kubelet and dualstackd share, {@code KUBE-FIREWALL}. */
    public static boolean shared(ChainId chain) {
        return chain.equals(FIREWALL);
    }

    /**
     * What to remove of the guard before 127.0.0.0/8, once that network needs none: the rule, and the chain with the jumps to it when
     * nothing else is in it. Nothing where there is a kubelet, which has the same chain with the same rule.
     *
     * @param rules of {@code KUBE-FIREWALL}, and jumps of any chain
     */
    public static Removal guard(Collection<ChainId> found, Collection<FoundJump> rules) {
        boolean kubelet = found.stream().anyMatch(chain -> KUBELETS.contains(chain.name()));
        if (kubelet || !found.contains(FIREWALL)) {
            return new Removal(List.of(), new TreeSet<>(), new TreeSet<>());
        }
        List<FoundJump> inside =
                rules.stream().filter(rule -> rule.in().equals(FIREWALL)).toList();
        List<FoundJump> guards = inside.stream()
                .filter(rule -> rule.to().isEmpty() && rule.comment().equals(JumpComments.LOOPBACK_GUARD))
                .toList();
        if (guards.size() < inside.size()) {
            return new Removal(guards, new TreeSet<>(), new TreeSet<>());
        }
        List<FoundJump> leading = rules.stream()
                .filter(rule ->
                        rule.in().table() == FIREWALL.table() && rule.to().equals(FIREWALL.name()))
                .toList();
        List<FoundJump> ours = leading.stream()
                .filter(rule -> rule.always() && BuiltIn.contains(rule.in()))
                .toList();
        SortedSet<ChainId> flush = new TreeSet<>(Set.of(FIREWALL));
        return new Removal(ours, flush, ours.size() == leading.size() ? flush : new TreeSet<>());
    }

    private record KnownJump(String to, String comment) {}

    /** Known jumps as rules, for new connections and for all packets. */
    static Stream<Rule> knownJumps() {
        return Arrays.stream(Table.values())
                .flatMap(Ownership::knownJumps)
                .flatMap(known -> Stream.of(
                        FrameCompiler.always(known.to(), known.comment()),
                        FrameCompiler.newOnly(known.to(), known.comment())));
    }

    /** Known jumps, whichever built-in chain of the table they are in: older releases of kube-proxy used more of them. */
    private static Stream<KnownJump> knownJumps(Table table) {
        return switch (table) {
            case MANGLE -> Stream.of(new KnownJump(ChainNames.PROXY_FIREWALL, JumpComments.IPVS_FIREWALL));
            case NAT ->
                Stream.of(
                        new KnownJump(ChainNames.SERVICES, JumpComments.SERVICES),
                        new KnownJump(ChainNames.POSTROUTING, JumpComments.POSTROUTING));
            case FILTER ->
                Stream.of(
                        new KnownJump(ChainNames.EXTERNAL_SERVICES, JumpComments.EXTERNAL_SERVICES),
                        new KnownJump(ChainNames.NODE_PORTS, JumpComments.HEALTH_CHECKS),
                        new KnownJump(ChainNames.SERVICES, JumpComments.SERVICES),
                        new KnownJump(ChainNames.FORWARD, JumpComments.FORWARD),
                        new KnownJump(ChainNames.PROXY_FIREWALL, JumpComments.PROXY_FIREWALL),
                        new KnownJump(ChainNames.PROXY_FIREWALL, JumpComments.IPVS_FIREWALL),
                        new KnownJump(ChainNames.NODE_PORT, JumpComments.IPVS_HEALTH_CHECKS),
                        new KnownJump(ChainNames.IPVS_FILTER, JumpComments.IPVS_FILTER),
                        new KnownJump(IPVS_OUT_FILTER, JumpComments.IPVS_FILTER));
        };
    }
}
