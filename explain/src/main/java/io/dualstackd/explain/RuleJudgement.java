package io.dualstackd.explain;

import io.dualstackd.explain.ChainJudgement.Answer;
import io.dualstackd.explain.Registers.Known;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Bitwise;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.Ct;
import io.dualstackd.netlink.nft.expr.Dynset;
import io.dualstackd.netlink.nft.expr.Immediate;
import io.dualstackd.netlink.nft.expr.Log;
import io.dualstackd.netlink.nft.expr.Lookup;
import io.dualstackd.netlink.nft.expr.Masq;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.MetaSet;
import io.dualstackd.netlink.nft.expr.Nat;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Notrack;
import io.dualstackd.netlink.nft.expr.OtherExpr;
import io.dualstackd.netlink.nft.expr.Payload;
import io.dualstackd.netlink.nft.expr.Redir;
import io.dualstackd.netlink.nft.expr.Reject;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.nft.expr.XtMatchExpr;
import io.dualstackd.netlink.nft.expr.XtTargetExpr;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtConntrack;
import io.dualstackd.netlink.xt.XtMark;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtSetMark;
import io.dualstackd.netlink.xt.XtTarget;
import io.dualstackd.netlink.xt.XtTcp;
import io.dualstackd.netlink.xt.XtUdp;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What any rule, of any author, does to a packet, as far as it can be evaluated: whether it matches may stay unknown.
 *
 * @param certain whether the rule certainly matches; false when it may match
 * @param verdicts the verdicts it may give then; empty when it goes on to the next rule
 * @param refuses whether it may reject the packet, or end it in another way than by a verdict
 * @param translates whether it translates an address of the packet, and accepts it for that
 * @param effects what it does beside that
 */
record RuleJudgement(boolean certain, List<Verdict> verdicts, boolean refuses, boolean translates, Effects effects) {
    private static final RuleJudgement NOTHING = new RuleJudgement(true, List.of(), false);
    /** Targets of xtables that drop or consume a packet. */
    private static final Set<String> ENDING = Set.of("DROP", "REJECT", "TARPIT", "DELUDE", "CHAOS", "STEAL");
    /** Targets of xtables that let it go on to the next hook. */
    private static final Set<String> ACCEPTING = Set.of("ACCEPT", "TPROXY");
    /** Targets of xtables that translate an address. */
    private static final Set<String> TRANSLATING = Set.of("DNAT", "SNAT", "MASQUERADE", "REDIRECT", "NETMAP");

    private static final int QUEUE_NUMBER = 1;
    /** In place of the number of a queue that depends on the packet. */
    static final int SOME_QUEUE = -1;

    /** {@code XT_CONNMARK_RESTORE}. */
    private static final int CONNMARK_RESTORE = 2;

    /** {@code XT_CT_NOTRACK}. */
    private static final int CT_NOTRACK = 1;

    private RuleJudgement(boolean certain, List<Verdict> verdicts, boolean refuses) {
        this(certain, verdicts, refuses, Effects.NONE);
    }

    private RuleJudgement(boolean certain, List<Verdict> verdicts, boolean refuses, Effects effects) {
        this(certain, verdicts, refuses, false, effects);
    }

    private static RuleJudgement translating(boolean certain, Effects effects) {
        return new RuleJudgement(certain, List.of(new Verdict.Accept()), false, true, effects);
    }

    /**
     * What a rule changes, whether all of it matches or only what is before the change.
     *
     * @param untracks whether it takes the packet out of connection tracking
     * @param marked the known bits of the packet's mark that may be others afterwards
     */
    record Effects(Known untracks, int marked) {
        static final Effects NONE = new Effects(Known.NO, 0);

        Effects andUntracks(boolean certain) {
            return new Effects(certain ? Known.YES : untracks == Known.NO ? Known.MAYBE : untracks, marked);
        }

        Effects andMarks(int bits) {
            return new Effects(untracks, marked | bits);
        }
    }

    /** Looks keys up in the sets of a rule's table. */
    interface Sets {
        Answer find(String set, Registers registers, int key);
    }

    /** Judges a rule. */
    static RuleJudgement of(List<NftExpr> rule, PassingPacket before, Sets sets) {
        Registers registers = new Registers();
        PassingPacket packet = before;
        Effects effects = Effects.NONE;
        boolean certain = true;
        for (NftExpr expression : rule) {
            Known matches = Known.YES;
            switch (expression) {
                case Meta meta -> registers.load(meta, packet);
                case Payload field -> registers.load(field, packet);
                case Ct ct -> matches = registers.load(ct, packet);
                case Immediate(int register, Bytes value) -> registers.load(register, value);
                case Bitwise bits -> registers.apply(bits);
                case Cmp cmp -> matches = registers.compare(cmp);
                case XtMatchExpr match -> matches = xtables(match, packet);
                case Lookup lookup -> {
                    switch (sets.find(lookup.set(), registers, lookup.key())) {
                        case Answer.HasNot() -> matches = lookup.inverted() ? Known.YES : Known.NO;
                        case Answer.NotAsked() -> {
                            if (lookup.data() == 0) {
                                // A verdict map may hold any verdict.
                                return new RuleJudgement(
                                        false, List.of(new Verdict.Accept(), new Verdict.Drop()), false, effects);
                            }
                            matches = Known.MAYBE;
                            if (lookup.data() != Lookup.NO_DATA) {
                                registers.clear(lookup.data());
                            }
                        }
                        case Answer.Has(NftElement element) -> {
                            matches = lookup.inverted() ? Known.NO : Known.YES;
                            switch (element.data()) {
                                case MapData.Nothing() -> {}
                                case MapData.Value(Bytes value) -> {
                                    if (lookup.data() != Lookup.NO_DATA) {
                                        registers.load(lookup.data(), value);
                                    }
                                }
                                case MapData.Does(Verdict verdict) -> {
                                    return new RuleJudgement(certain, List.of(verdict), false, effects);
                                }
                            }
                        }
                    }
                }
                case VerdictExpr(Verdict verdict) -> {
                    return new RuleJudgement(certain, List.of(verdict), false, effects);
                }
                case Reject ignored -> {
                    return new RuleJudgement(certain, List.of(), true, effects);
                }
                case Nat ignored -> {
                    return translating(certain, effects);
                }
                case Masq ignored -> {
                    return translating(certain, effects);
                }
                case Redir ignored -> {
                    return translating(certain, effects);
                }
                case XtTargetExpr target -> {
                    String name = target.extension().toUpperCase(Locale.ROOT);
                    if (name.equals("NOTRACK") || (name.equals("CT") && (firstHalf(target.info()) & CT_NOTRACK) != 0)) {
                        return new RuleJudgement(certain, List.of(), false, effects.andUntracks(certain));
                    }
                    if (ENDING.contains(name)) {
                        return new RuleJudgement(certain, List.of(), true, effects);
                    }
                    if (name.equals("NFQUEUE")) {
                        return queued(certain, firstHalf(target.info()), effects);
                    }
                    if (TRANSLATING.contains(name)) {
                        return translating(certain, effects);
                    }
                    if (ACCEPTING.contains(name)) {
                        return new RuleJudgement(certain, List.of(new Verdict.Accept()), false, effects);
                    }
                    effects = effects.andMarks(marked(target, packet));
                }
                case MetaSet(MetaKey key, int register)
                when key.equals(MetaKey.MARK) -> {
                    int other = (registers.bits(register) ^ packet.mark()) | ~registers.knownBits(register);
                    effects = effects.andMarks(other & packet.knownMark());
                    packet = packet.withoutMark(effects.marked());
                }
                case OtherExpr(String name, Bytes data)
                when name.equals("queue") -> {
                    return queued(certain, queue(data), effects);
                }
                case Notrack ignored -> effects = effects.andUntracks(certain);
                case Counter _, Log _, MetaSet _ -> {}
                case Dynset ignored -> matches = Known.MAYBE;
                default -> {
                    registers.forgetAll();
                    matches = Known.MAYBE;
                }
            }
            if (matches == Known.NO) {
                return NOTHING.with(effects);
            }
            certain = certain && matches == Known.YES;
        }
        return NOTHING.with(effects);
    }

    private RuleJudgement with(Effects its) {
        return new RuleJudgement(certain, verdicts, refuses, translates, its);
    }

    private static RuleJudgement queued(boolean certain, int queue, Effects effects) {
        return new RuleJudgement(certain, List.of(new Verdict.Queue(queue)), false, effects);
    }

    /** The known bits of the mark that a target of xtables may change. */
    private static int marked(XtTargetExpr target, PassingPacket packet) {
        return packet.knownMark()
                & switch (target.extension()) {
                    case "MARK" ->
                        XtTarget.read("MARK", target.revision(), target.info(), packet.family())
                                        instanceof XtSetMark(int value, int mask)
                                ? (packet.mark() & mask) ^ value
                                : -1;
                    case "CONNMARK" -> restored(target);
                    default -> 0;
                };
    }

    /** The bits of the packet's mark that {@code struct xt_connmark_tginfo1} or {@code …2} sets from the connection's. */
    private static int restored(XtTargetExpr target) {
        NlReader reader = target.info().reader("CONNMARK");
        try {
            reader.skip(Integer.BYTES);
            int ofConnection = reader.u32();
            int ofPacket = reader.u32();
            // The second one can shift the connection's mark.
            int shift = target.revision() < 2 ? 0 : reader.u16();
            boolean restores = reader.u8() == CONNMARK_RESTORE;
            return !restores ? 0 : shift == 0 ? ofConnection | ofPacket : -1;
        } catch (DecodeException e) {
            return -1;
        }
    }

    /** {@code NFTA_QUEUE_NUM}. */
    private static int queue(Bytes data) {
        NlReader attribute = data.reader("queue");
        try {
            attribute.skip(2);
            return attribute.u16() == QUEUE_NUMBER ? attribute.u16be() : SOME_QUEUE;
        } catch (DecodeException e) {
            return SOME_QUEUE;
        }
    }

    /** The first two bytes of {@code struct xt_NFQ_info}, the number of the queue, or of {@code struct xt_ct_target_info}, its flags. */
    private static int firstHalf(Bytes info) {
        try {
            return info.reader("target").u16();
        } catch (DecodeException e) {
            return 0;
        }
    }

    /** Evaluates the few matches of xtables that can be evaluated outside the kernel. */
    private static Known xtables(XtMatchExpr match, PassingPacket packet) {
        return xtables(XtMatch.read(match.extension(), match.revision(), match.info()), packet);
    }

    private static Known xtables(XtMatch match, PassingPacket packet) {
        return switch (match) {
            case XtComment ignored -> Known.YES;
            case XtConntrack(int states, boolean inverted) -> {
                Known holds = switch (packet.tracking()) {
                    case NOT_YET -> Known.of((states & XtConntrack.INVALID) != 0);
                    case UNTRACKED -> Known.of((states & XtConntrack.UNTRACKED) != 0);
                    case UNKNOWN -> Known.MAYBE;
                    case NEW -> {
                        int has = XtConntrack.NEW | (packet.translated() ? XtConntrack.DNAT : 0);
                        yield (states & has) != 0
                                ? Known.YES
                                // Not known before the source is translated.
                                : (states & XtConntrack.SNAT) != 0 ? Known.MAYBE : Known.NO;
                    }
                };
                yield inverted ? holds.not() : holds;
            }
            case XtMark(int value, int mask, boolean inverted) -> {
                int bits = mask & packet.knownMark();
                Known holds = ((packet.mark() ^ value) & bits) != 0 ? Known.NO : bits == mask ? Known.YES : Known.MAYBE;
                yield inverted ? holds.not() : holds;
            }
            case XtTcp tcp ->
                tcp.equals(XtTcp.toPort(packet.port())) || tcp.equals(XtTcp.ANY)
                        ? Known.YES
                        : onlyTo(tcp) ? Known.NO : Known.MAYBE;
            case XtUdp udp ->
                udp.equals(XtUdp.toPort(packet.port())) || udp.equals(XtUdp.ANY)
                        ? Known.YES
                        : onlyTo(udp) ? Known.NO : Known.MAYBE;
            default -> Known.MAYBE;
        };
    }

    /** Whether it matches one destination port, and nothing else. */
    private static boolean onlyTo(XtTcp tcp) {
        return tcp.destinationMin() == tcp.destinationMax() && tcp.equals(XtTcp.toPort(tcp.destinationMin()));
    }

    private static boolean onlyTo(XtUdp udp) {
        return udp.destinationMin() == udp.destinationMax() && udp.equals(XtUdp.toPort(udp.destinationMin()));
    }
}
