package io.dualstackd.explain.io;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.explain.ChainJudgement;
import io.dualstackd.explain.HostPath;
import io.dualstackd.explain.HostPath.Finding;
import io.dualstackd.explain.HostPath.Leg;
import io.dualstackd.explain.HostPath.Verdict;
import io.dualstackd.explain.PassingPacket;
import io.dualstackd.explain.PassingPacket.Tracking;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Traces a packet through what other programs and the administrator have set up on this host: routes, settings, base chains. */
public final class HostPathTracer {
    /** The most paths to trace: a Service may have a thousand endpoints, and their paths are alike. */
    private static final int MOST_WAYS = 20;

    private static final String LOOPBACK = "lo";

    /** {@code NF_IP_PRI_CONNTRACK}: the priority at which a packet is assigned to a connection. */
    private static final int CONNTRACK = -200;
    /** {@code NF_IP_PRI_NAT_DST}: the priority at which destinations are translated. */
    private static final int DESTINATION_NAT = -100;
    /** {@code NF_IP_PRI_NAT_SRC}: the priority at which sources are translated. */
    private static final int SOURCE_NAT = 100;

    private final NetNs ns;
    private final ProxyMode mode;
    private final Packet packet;
    private final int masqueradeMark;
    private final Optional<HostChains> chains;
    private final HostRoutes routes;
    private final Set<String> notSeen = new LinkedHashSet<>();
    /** Whether a rule that is not of Services has translated the destination: where the packet goes then was not followed. */
    private boolean elsewhere;

    /** What connection tracking makes of the packet when it sees it: rules before may take it out. */
    private Tracking tracking = Tracking.NEW;

    /** Bits of the mark that rules met so far may have changed, before the destination was translated and after it. */
    private int markedBefore;

    private int markedAfter;
    /** Those that rules behind the masquerade may have changed, which remain when the packet comes back through {@code lo}. */
    private int markedBehind;

    private HostPathTracer(
            NetNs ns,
            ProxyMode mode,
            Packet packet,
            int masqueradeMark,
            Optional<HostChains> chains,
            HostRoutes routes) {
        this.ns = ns;
        this.mode = mode;
        this.packet = packet;
        this.masqueradeMark = masqueradeMark;
        this.chains = chains;
        this.routes = routes;
    }

    /**
     * Traces a packet.
     *
     * @param mode the proxy mode, iptables or nftables
     * @param fate what Services do to the packet; one that they reject or drop goes no further
     * @param masqueradeMark the bit of the mark that requests masquerade
     * @return empty when the packet goes no further
     */
    public static Optional<HostPath> trace(
            NetNs ns, ProxyMode mode, Packet packet, PacketFate fate, int masqueradeMark) {
        List<Way> ways = Way.of(mode, packet, fate);
        if (ways.isEmpty()) {
            return Optional.empty();
        }
        IpFamily family = packet.destination().family();
        List<String> failed = new ArrayList<>();
        try (RouteClient kernel = RouteClient.open(ns)) {
            try (NftClient netfilter = NftClient.open(ns)) {
                Optional<HostChains> chains = chains(netfilter, family, failed);
                HostPathTracer tracer = new HostPathTracer(
                        ns, mode, packet, masqueradeMark, chains, new HostRoutes(kernel, ns, packet));
                tracer.notSeen.addAll(failed);
                return Optional.of(tracer.trace(ways));
            }
        } catch (NetlinkException e) {
            return Optional.of(new HostPath(List.of(), List.of("routes and firewall of this host: " + e.getMessage())));
        }
    }

    private static Optional<HostChains> chains(NftClient netfilter, IpFamily family, List<String> failed) {
        try {
            return Optional.of(HostChains.read(netfilter, family));
        } catch (NetlinkException e) {
            failed.add("base chains of nf_tables: " + e.getMessage());
            return Optional.empty();
        }
    }

    private HostPath trace(List<Way> ways) {
        Map<List<Finding>, List<IpPort>> alike = new LinkedHashMap<>();
        ways.stream()
                .limit(MOST_WAYS)
                .forEach(way -> alike.computeIfAbsent(findings(way), f -> new ArrayList<>())
                        .add(way.to()));
        if (ways.size() > MOST_WAYS) {
            notSeen.add("the ways to " + (ways.size() - MOST_WAYS) + " more endpoints");
        }
        notSeen.addAll(routes.notSeen());
        legacy();
        notSeen.add("netdev and bridge chains, tc, XDP, and what the receiver does");
        return new HostPath(
                alike.entrySet().stream()
                        .map(entry -> new Leg(entry.getValue(), entry.getKey()))
                        .toList(),
                List.copyOf(notSeen));
    }

    private void legacy() {
        try {
            Set<String> tables = XtTableClient.tables(packet.destination().family(), ns);
            if (!tables.isEmpty()) {
                notSeen.add("other rules in tables of iptables legacy (" + String.join(", ", tables) + ")");
            }
        } catch (IOException e) {
            notSeen.add("tables of iptables legacy: " + e.getMessage());
        }
    }

    private List<Finding> findings(Way way) {
        List<Finding> findings = new ArrayList<>();
        elsewhere = false;
        tracking = Tracking.NEW;
        markedBefore = 0;
        markedAfter = 0;
        markedBehind = 0;
        Way returning = way.comingBack();
        HostRoutes.Answer route = routes.to(way.to().ip(), way.marked() ? masqueradeMark : 0);
        Optional<String> in = switch (packet.origin()) {
            case Packet.Origin.ThisNode() -> Optional.of("");
            case Packet.Origin.Interface(String name) -> Optional.of(name).filter(n -> !n.isEmpty());
        };
        boolean fromHere = packet.origin() instanceof Packet.Origin.ThisNode;
        if (fromHere) {
            if (way.translated()) {
                // A socket needs a route to the address that it was given before any rule translates it.
                routes.to(packet.destination(), 0).findings().stream()
                        .filter(finding -> finding.verdict() == Verdict.DROPS)
                        .forEach(findings::add);
            }
            // What stays on this host leaves through lo, and comes back in.
            Optional<String> out = route.local() ? Optional.of(LOOPBACK) : route.out();
            // Before the translation it was routed to another destination, and rules of this hook see that one.
            hook(NftHook.OUTPUT, way, in, way.translated() ? Optional.empty() : out, findings);
            add(route.findings(), findings);
            hook(NftHook.POSTROUTING, way, in, out, findings);
            if (route.local()) {
                hook(NftHook.PREROUTING, returning, Optional.of(LOOPBACK), Optional.of(""), findings);
                hook(NftHook.INPUT, returning, Optional.of(LOOPBACK), Optional.of(""), findings);
            }
            return findings;
        }
        hook(NftHook.PREROUTING, way, in, Optional.of(""), findings);
        add(route.findings(), findings);
        if (route.local()) {
            hook(NftHook.INPUT, way, in, Optional.of(""), findings);
        } else {
            hook(NftHook.FORWARD, way, in, route.out(), findings);
            hook(NftHook.POSTROUTING, way, in, route.out(), findings);
        }
        return findings;
    }

    private boolean isOver(List<Finding> findings) {
        return elsewhere
                || findings.stream().anyMatch(finding -> switch (finding.verdict()) {
                    case DROPS, BYPASSES, TRANSLATES -> true;
                    case PASSES, MAY_DROP, MAY_BYPASS, MAY_TRANSLATE -> false;
                });
    }

    private void add(List<Finding> more, List<Finding> findings) {
        if (!isOver(findings)) {
            findings.addAll(more);
        }
    }

    private void hook(int hook, Way way, Optional<String> in, Optional<String> out, List<Finding> findings) {
        List<NftChain> all = chains.map(host -> host.at(hook)).orElse(List.of()).stream()
                .filter(chain -> !isNat(chain))
                .toList();
        boolean natIsOver = false;
        for (int i = 0; i < all.size() && !isOver(findings); i++) {
            NftChain chain = all.get(i);
            NftHook where = chain.hook().orElseThrow();
            if (!natIsOver && where.priority() > natPriority(hook)) {
                nat(hook, way, in, out, findings);
                natIsOver = true;
                if (isOver(findings)) {
                    return;
                }
            }
            List<NftChain> rest = all.subList(i + 1, all.size());
            Finding finding = judged(chain, rest, isBefore(where, way), way, in, out);
            boolean either = translatesDestinations(where) && where.priority() == DESTINATION_NAT && !way.returning();
            findings.add(either ? either(judged(chain, rest, true, way, in, out), finding) : finding);
        }
        if (!natIsOver && !isOver(findings)) {
            nat(hook, way, in, out, findings);
        }
    }

    private static boolean isNat(NftChain chain) {
        return chain.hook().orElseThrow().type().equals("nat");
    }

    /** The priority of all chains of type nat together; their own only rank them among each other. */
    private static int natPriority(int hook) {
        return hook == NftHook.PREROUTING || hook == NftHook.OUTPUT ? DESTINATION_NAT : SOURCE_NAT;
    }

    /** The chains of type nat at a hook. The kernel leaves them once one has translated the packet. */
    private void nat(int hook, Way way, Optional<String> in, Optional<String> out, List<Finding> findings) {
        if (way.returning()) {
            // A connection is translated once.
            return;
        }
        boolean destinations = natPriority(hook) == DESTINATION_NAT;
        boolean ours = destinations ? way.translated() : hook == NftHook.POSTROUTING && way.masqueraded();
        for (NftChain chain : chains.map(host -> host.at(hook)).orElse(List.of())) {
            NftHook where = chain.hook().orElseThrow();
            if (!isNat(chain) || (ours && where.priority() > natPriority(hook))) {
                continue;
            }
            boolean shared = mode == ProxyMode.IPTABLES
                    && chains.orElseThrow().has(chain.name().table().chain(ChainNames.SERVICES));
            boolean surelyBefore = !ours || shared || where.priority() < natPriority(hook);
            ChainJudgement.Chains all = chains.orElseThrow().of(chain.name().table());
            AroundServices around = new AroundServices(all, ours);
            ChainJudgement.Chains rules = shared ? around : all;
            PassingPacket passing = passing(where, destinations, way, in, out);
            routeMayChange(chain, shared ? new AroundServices(all, ours) : rules, passing, way);
            ChainJudgement.Result judged = judgement(chain, rules, passing);
            Finding finding = withMark(judged, where, destinations, way);
            if (finding.verdict() == Verdict.DROPS && !surelyBefore) {
                finding = new Finding(
                        finding.what(),
                        Verdict.MAY_DROP,
                        finding.words() + ", if it comes before the rules of Services");
            }
            if (shared && ours && !around.reached() && judged.translates().isEmpty()) {
                finding = past(finding, destinations);
            }
            boolean surely = judged.surelyTranslates() && surelyBefore;
            findings.add(
                    judged.translates().isEmpty()
                            ? finding
                            : translating(finding, judged.translates().get(), surely, destinations, ours));
            if (surely && destinations && !ours) {
                elsewhere = true;
                notSeen.add("where it goes after it is translated "
                        + judged.translates().get());
            }
            if (isOver(findings) || surely) {
                return;
            }
        }
    }

    /** The finding on a packet that does not come to the jump to the rules of Services. */
    private static Finding past(Finding finding, boolean destinations) {
        if (finding.verdict() != Verdict.PASSES) {
            return finding;
        }
        return destinations
                ? new Finding(finding.what(), Verdict.BYPASSES, "by a rule before the jump to " + ChainNames.SERVICES)
                : new Finding(
                        finding.what(),
                        Verdict.PASSES,
                        "KEEPS its source, by a rule before the jump to " + ChainNames.POSTROUTING);
    }

    /** The finding, with the rule that translates the packet. */
    private static Finding translating(
            Finding finding, String rule, boolean surely, boolean destinations, boolean ours) {
        boolean drops = finding.verdict() == Verdict.DROPS || finding.verdict() == Verdict.MAY_DROP;
        if (drops || (ours && !destinations)) {
            // It is masqueraded in any case.
            return finding;
        }
        if (ours) {
            return new Finding(finding.what(), surely ? Verdict.TRANSLATES : Verdict.MAY_TRANSLATE, rule);
        }
        String more = (surely ? "TRANSLATES its " : "MAY TRANSLATE its ")
                + (destinations ? "destination, " : "source, ")
                + rule;
        return new Finding(
                finding.what(), finding.verdict(), finding.words().isEmpty() ? more : finding.words() + "; " + more);
    }

    /** The finding on a chain that may come before the translation of the destination or behind it: which of both is older cannot be read. */
    private static Finding either(Finding before, Finding behind) {
        Finding worse = before.verdict().compareTo(behind.verdict()) > 0 ? before : behind;
        return worse.verdict() != Verdict.DROPS || before.verdict() == behind.verdict()
                ? worse
                : new Finding(
                        worse.what(),
                        Verdict.MAY_DROP,
                        worse.words() + ", which may see the packet " + (worse.equals(before) ? "before" : "after")
                                + " its destination is translated");
    }

    /**
     * What a chain does.
     *
     * @param rest the chains behind it at the same hook
     * @param before whether it comes before the translation of the destination
     */
    private Finding judged(
            NftChain chain, List<NftChain> rest, boolean before, Way way, Optional<String> in, Optional<String> out) {
        NftHook where = chain.hook().orElseThrow();
        PassingPacket passing = passing(where, before, way, in, out);
        // Those may come before it instead.
        for (NftChain peer : rest) {
            NftHook its = peer.hook().orElseThrow();
            if (its.priority() == where.priority()
                    && !peer.name().table().equals(chain.name().table())) {
                passing = passing.withoutMark(judgement(peer, passing).marked());
            }
        }
        routeMayChange(chain, chains.orElseThrow().of(chain.name().table()), passing, way);
        ChainJudgement.Result judged = judgement(chain, passing);
        if (passing.tracking() == Tracking.NOT_YET) {
            tracking =
                    tracking == Tracking.UNTRACKED || judged.tracking() == Tracking.NEW ? tracking : judged.tracking();
        }
        if (isBehind(where)) {
            // There the bit is not known, but it is clear when the packet comes back, unless these rules set it.
            markedBehind |=
                    judgement(chain, passing.withMark(0, masqueradeMark)).marked();
        }
        return withMark(judged, where, before, way);
    }

    /** Says so if the chain may change a mark that a policy routing rule asks for: the route was asked for without that mark. */
    private void routeMayChange(NftChain chain, ChainJudgement.Chains rules, PassingPacket passing, Way way) {
        NftHook where = chain.hook().orElseThrow();
        // The kernel routes a packet of this host again when its destination is translated, or such a chain has changed
        // the mark.
        boolean routedLater = where.number() == NftHook.PREROUTING
                || (where.number() == NftHook.OUTPUT
                        && (where.type().equals("route") || (way.translated() && where.priority() <= DESTINATION_NAT)));
        int others = routedLater && !way.returning() ? routes.marks() & ~masqueradeMark : 0;
        if (others != 0) {
            judgement(chain, rules, passing.withMark(0, others))
                    .marks()
                    .ifPresent(rule -> notSeen.add("the route of a packet whose mark is changed " + rule + " ("
                            + chain.name().table() + "), which a policy routing rule asks for"));
        }
    }

    private ChainJudgement.Result judgement(NftChain chain, PassingPacket passing) {
        return judgement(chain, chains.orElseThrow().of(chain.name().table()), passing);
    }

    private static ChainJudgement.Result judgement(NftChain chain, ChainJudgement.Chains rules, PassingPacket passing) {
        NftHook where = chain.hook().orElseThrow();
        return ChainJudgement.of(
                rules,
                chain.name().name(),
                where.policy(),
                chain.name().table() + " " + chain.name().name() + " (" + words(where) + ")",
                passing);
    }

    /** The finding, with the rule that changes the mark where that decides whether the source of the packet is translated. */
    private Finding withMark(ChainJudgement.Result judged, NftHook hook, boolean before, Way way) {
        if (way.returning()) {
            markedBehind |= judged.marked();
        }
        if (before) {
            markedBefore |= judged.marked();
        } else {
            markedAfter |= judged.marked();
        }
        Finding finding = judged.finding();
        boolean masqueradedAnyway = way.masqueraded() && (before || !way.marked());
        boolean decides = hook.number() != NftHook.INPUT && !way.returning() && !masqueradedAnyway;
        boolean goesOn = finding.verdict() == Verdict.PASSES || finding.verdict() == Verdict.MAY_DROP;
        if (!decides || !goesOn || judged.marks().isEmpty()) {
            return finding;
        }
        String more = "MAY CHANGE the mark that asks for masquerade, "
                + judged.marks().get();
        return new Finding(
                finding.what(), finding.verdict(), finding.words().isEmpty() ? more : finding.words() + "; " + more);
    }

    /** Whether the chain comes before the translation of the destination. */
    private static boolean isBefore(NftHook hook, Way way) {
        return translatesDestinations(hook) && hook.priority() < DESTINATION_NAT && !way.returning();
    }

    /** Whether the chain comes behind the translation of the source, or may. */
    private static boolean isBehind(NftHook hook) {
        return hook.number() == NftHook.POSTROUTING && hook.priority() >= SOURCE_NAT;
    }

    private static boolean translatesDestinations(NftHook hook) {
        return hook.number() == NftHook.PREROUTING || hook.number() == NftHook.OUTPUT;
    }

    private PassingPacket passing(NftHook hook, boolean before, Way way, Optional<String> in, Optional<String> out) {
        // There the source may have been changed, and the mark that asks for that is cleared.
        boolean behind = isBehind(hook) && !hook.type().equals("nat");
        boolean hidden = behind || (way.returning() && way.masqueraded());
        Optional<Ip> source = hidden ? Optional.empty() : Optional.of(packet.source());
        boolean translated = way.translated() && !before;
        // Rules of Services set the bit whatever it was before, and clear it where they masquerade.
        int marked = before
                ? markedBefore
                : way.returning() ? markedBehind : way.marked() ? markedAfter : markedBefore | markedAfter;
        return new PassingPacket(
                source,
                translated ? way.to().ip() : packet.destination(),
                packet.protocol(),
                translated ? way.to().port() : packet.port(),
                in,
                out,
                translated,
                way.marked() && !before && !way.returning() ? masqueradeMark : 0,
                behind ? 0 : masqueradeMark & ~marked,
                translatesDestinations(hook)
                                && hook.priority() < CONNTRACK
                                && !way.returning()
                                && tracking == Tracking.NEW
                        ? Tracking.NOT_YET
                        : tracking,
                before && hook.priority() < CONNTRACK && way.translated());
    }

    /** {@code forward, priority 0, policy drop}. */
    private static String words(NftHook hook) {
        String[] names = {"prerouting", "input", "forward", "output", "postrouting"};
        return "hook " + names[hook.number()] + ", priority " + hook.priority() + ", policy "
                + (hook.policy() == NftHook.DROP ? "drop" : "accept");
    }
}
