package io.dualstackd.explain;

import io.dualstackd.explain.HostPath.Verdict;
import io.dualstackd.explain.Registers.Known;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.wire.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * What a base chain does to a packet, as far as its rules can be evaluated.
 *
 * <p>Rules that may match are followed both ways, so the result is one of three: it passes, it is dropped, or it depends on what was
 * not evaluated.
 */
public final class ChainJudgement {
    private static final int DEEPEST = 16;

    private final Chains chains;
    private PassingPacket packet;
    private Optional<String> drops = Optional.empty();
    private Optional<String> untracks = Optional.empty();
    private boolean surelyUntracks;
    private Optional<String> marks = Optional.empty();
    private int marked;
    private Optional<String> translates = Optional.empty();
    private boolean surelyTranslates;
    private boolean accepts;
    private int unknown;

    /** The chains and sets of one table. */
    public interface Chains {
        /** The rules of a chain; empty when they were not read. */
        Optional<List<List<NftExpr>>> rules(String chain);

        /** What a set of the table holds for a key. */
        Answer find(String set, KeySource key);
    }

    /** Provides the key of a lookup in a set. */
    public interface KeySource {
        /** The first bytes of the key; empty when they are not known. */
        Optional<Bytes> first(int length);
    }

    /** The result of a lookup in a set. */
    public sealed interface Answer {
        record Has(NftElement element) implements Answer {}

        record HasNot() implements Answer {}

        record NotAsked() implements Answer {}
    }

    /**
     * What a base chain does to a packet.
     *
     * @param finding whether the packet passes
     * @param marked bits of the mark that were known before and may be others afterwards
     * @param marks the first rule that may change them; empty for none
     * @param tracking what connection tracking makes of the packet then, if it has not seen it before
     * @param translates the first rule that may translate an address, which a chain of type nat does; empty for none
     * @param surelyTranslates whether that rule certainly does
     */
    public record Result(
            HostPath.Finding finding,
            int marked,
            Optional<String> marks,
            PassingPacket.Tracking tracking,
            Optional<String> translates,
            boolean surelyTranslates) {}

    private ChainJudgement(Chains chains, PassingPacket packet) {
        this.chains = chains;
        this.packet = packet;
    }

    /**
     * Judges a base chain.
     *
     * @param name of the chain
     * @param policy of its hook
     * @param what its name in the finding
     */
    public static Result of(Chains chains, String name, int policy, String what, PassingPacket packet) {
        ChainJudgement judgement = new ChainJudgement(chains, packet);
        boolean toTheEnd = judgement.walk(name, 0, true);
        if (toTheEnd && policy == NftHook.DROP) {
            judgement.drops = judgement.drops.or(() -> Optional.of("by its policy"));
        } else if (toTheEnd) {
            judgement.accepts = true;
        }
        return new Result(
                judgement.finding(what),
                judgement.marked,
                judgement.marks,
                judgement.tracking(),
                judgement.translates,
                judgement.surelyTranslates);
    }

    private PassingPacket.Tracking tracking() {
        return untracks.isEmpty()
                ? PassingPacket.Tracking.NEW
                : surelyUntracks ? PassingPacket.Tracking.UNTRACKED : PassingPacket.Tracking.UNKNOWN;
    }

    private HostPath.Finding finding(String what) {
        if (drops.isEmpty() && untracks.isPresent() && packet.toBeTracked()) {
            return new HostPath.Finding(
                    what, surelyUntracks ? Verdict.BYPASSES : Verdict.MAY_BYPASS, untracks.get() + " (notrack)");
        }
        if (drops.isEmpty()) {
            return new HostPath.Finding(what, Verdict.PASSES, "");
        }
        String unread =
                unknown == 0 ? "" : unknown == 1 ? "1 rule was not evaluated" : unknown + " rules were not evaluated";
        return accepts
                ? new HostPath.Finding(what, Verdict.MAY_DROP, drops.get() + "; " + unread)
                : new HostPath.Finding(what, Verdict.DROPS, drops.get());
    }

    /**
     * Whether the packet may reach the end of the chain.
     *
     * @param sure whether it certainly comes to this chain, unless a rule before has ended its way
     */
    private boolean walk(String name, int depth, boolean sure) {
        Optional<List<List<NftExpr>>> rules = depth > DEEPEST ? Optional.empty() : chains.rules(name);
        if (rules.isEmpty()) {
            unknown++;
            accepts = true;
            drops = drops.or(() -> Optional.of("by a rule of chain " + name + ", which was not read"));
            return true;
        }
        boolean mayReturn = false;
        int place = 0;
        for (List<NftExpr> rule : rules.get()) {
            place++;
            RuleJudgement judged = RuleJudgement.of(rule, packet, this::find);
            boolean reached = sure && !mayReturn;
            boolean surely = reached && judged.certain();
            take(judged.effects(), reached && !accepts && drops.isEmpty(), rule(name, place));
            if (judged.translates() && translates.isEmpty()) {
                translates = Optional.of(rule(name, place));
                surelyTranslates = surely && !accepts && drops.isEmpty();
            }
            if (judged.refuses()) {
                drop(rule(name, place) + ", which rejects it: the client gets an error at once", judged.certain());
            }
            boolean goesOn = judged.verdicts().isEmpty() && !judged.refuses();
            if (!goesOn && !judged.certain()) {
                unknown++;
                goesOn = true;
            }
            for (io.dualstackd.netlink.nft.data.Verdict verdict : judged.verdicts()) {
                switch (verdict) {
                    case io.dualstackd.netlink.nft.data.Verdict.Accept() -> accepts = true;
                    case io.dualstackd.netlink.nft.data.Verdict.Continue() -> goesOn = true;
                    case io.dualstackd.netlink.nft.data.Verdict.Return() -> mayReturn = true;
                    case io.dualstackd.netlink.nft.data.Verdict.Jump(String chain) ->
                        goesOn |= walk(chain, depth + 1, surely);
                    case io.dualstackd.netlink.nft.data.Verdict.Goto(String chain) ->
                        mayReturn |= walk(chain, depth + 1, surely);
                    case io.dualstackd.netlink.nft.data.Verdict.Queue(int queue) -> {
                        // What the program decides is not known. Without a program the kernel drops it, unless the rule
                        // has "bypass".
                        accepts = true;
                        unknown++;
                        drops = drops.or(() -> Optional.of("by the program behind "
                                + (queue == RuleJudgement.SOME_QUEUE ? "a queue" : "queue " + queue)));
                    }
                    case io.dualstackd.netlink.nft.data.Verdict.Drop() -> drop(rule(name, place), judged.certain());
                    case io.dualstackd.netlink.nft.data.Verdict.Other ignored ->
                        drop(rule(name, place), judged.certain());
                }
            }
            if (!goesOn) {
                return mayReturn;
            }
        }
        return true;
    }

    /** @param reached whether the packet certainly comes to the rule */
    private void take(RuleJudgement.Effects effects, boolean reached, String rule) {
        if (effects.untracks() != Known.NO) {
            surelyUntracks |= reached && effects.untracks() == Known.YES;
            untracks = untracks.or(() -> Optional.of(rule));
        }
        if (effects.marked() != 0) {
            marks = marks.or(() -> Optional.of(rule));
            marked |= effects.marked();
            packet = packet.withoutMark(marked);
        }
    }

    private void drop(String rule, boolean certain) {
        // A certain drop is more important than a possible one.
        drops = certain ? Optional.of(rule) : drops.or(() -> Optional.of(rule));
    }

    private static String rule(String chain, int place) {
        return "by rule " + place + " of chain " + chain;
    }

    private Answer find(String set, Registers registers, int key) {
        return chains.find(set, length -> registers.get(key, length));
    }
}
