package io.dualstackd.explain.trace;

import io.dualstackd.explain.Evidence;
import io.dualstackd.explain.trace.TracedPacket.Fate;
import io.dualstackd.explain.trace.TracedPacket.TraceEnd;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.trace.TraceMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns the messages of a packet into its way, with what the rules mean. */
public final class WayReader {
    private final Names names;

    /** The meaning of numbers and names in messages; read from the kernel. */
    public interface Names {
        /** The hook of a base chain; empty for other chains. */
        Optional<NftHook> hook(ChainName chain);

        /** A rule; empty when it is gone. */
        Optional<NftRule> rule(ChainName chain, long handle);

        /** The name of an interface; its number when it is gone. */
        String device(int index);

        /**
         * The elements that a rule of dualstackd's table found; empty for rules of others.
         *
         * @param packet where the packet is
         * @param after the destination it has next, if that is known
         */
        List<Evidence> met(NftRule rule, Present packet, Verdict verdict, Optional<IpPort> after);

        /** Whether there are chains of type nat at this hook, which a packet of a new connection meets. */
        boolean hasNat(int hook);
    }

    /**
     * A packet before a rule.
     *
     * @param in name of the interface it came in through, empty for one of this node
     */
    public record Present(PacketHeader first, PacketHeader now, String in, int mark) {}

    public WayReader(Names names) {
        this.names = names;
    }

    public TracedPacket read(RawPacket packet) {
        List<TraceMessage> messages = packet.messages();
        List<TraceStep> steps = new ArrayList<>();
        PacketHeader now = packet.first();
        Optional<NftHook> hook = Optional.empty();
        int mark = 0;
        boolean rejected = false;
        boolean masquerade = false;
        boolean untracked = false;
        for (int i = 0; i < messages.size(); i++) {
            TraceMessage message = messages.get(i);
            now = PacketHeader.of(message).orElse(now);
            Optional<NftHook> base = names.hook(message.chain());
            hook = base.isPresent() ? base : hook;
            // At the end of a chain the kernel reports that the packet goes on.
            boolean tells = message.rule() != 0 || message.type() == TraceMessage.Type.POLICY;
            if (tells && !TraceTable.isOurs(message.chain())) {
                Present present = new Present(packet.first(), now, device(message.in()), mark);
                Optional<NftRule> rule =
                        message.rule() == 0 ? Optional.empty() : names.rule(message.chain(), message.rule());
                rejected = rule.filter(RuleWords::rejects).isPresent();
                untracked |= rule.filter(RuleWords::untracks).isPresent();
                masquerade |= rule.filter(RuleWords::masquerades).isPresent();
                steps.add(step(message, rule, hook, present, next(messages, i)));
            }
            mark = message.mark();
        }
        TraceMessage last = messages.getLast();
        return new TracedPacket(
                packet.since(),
                device(messages.getFirst().in()),
                packet.first(),
                now,
                steps,
                masquerade,
                !untracked && isKnown(messages, steps),
                end(last, packet.out(), rejected));
    }

    private String device(int index) {
        return index == 0 ? "" : names.device(index);
    }

    private static Optional<IpPort> next(List<TraceMessage> messages, int from) {
        return messages.stream()
                .skip(from + 1L)
                .flatMap(message -> PacketHeader.of(message).stream())
                .map(PacketHeader::destination)
                .findFirst();
    }

    private TraceStep step(
            TraceMessage message,
            Optional<NftRule> rule,
            Optional<NftHook> hook,
            Present present,
            Optional<IpPort> after) {
        Verdict verdict = message.verdict().orElseGet(Verdict.Continue::new);
        boolean rejects = rule.filter(RuleWords::rejects).isPresent();
        return new TraceStep(
                hook,
                message.chain(),
                message.rule(),
                rule.map(one -> names.met(one, present, verdict, after)).orElse(List.of()),
                rule.map(RuleWords::of).orElse(message.rule() == 0 ? "" : "a rule that is gone"),
                rejects ? "reject" : words(verdict));
    }

    private static String words(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Jump(String chain) -> "jump " + chain;
            case Verdict.Goto(String chain) -> "goto " + chain;
            case Verdict other -> other.toString();
        };
    }

    private TraceEnd end(TraceMessage last, int out, boolean rejected) {
        if (TraceTable.endsHere(last.chain())) {
            return new TraceEnd(Fate.DELIVERED, "");
        }
        if (TraceTable.endsOutside(last.chain()) && out != RawPacket.LOOPBACK) {
            return new TraceEnd(Fate.SENT, device(out));
        }
        String chain = last.chain().toString();
        return switch (last.verdict().orElseGet(Verdict.Continue::new)) {
            case Verdict.Drop() -> new TraceEnd(rejected ? Fate.REJECTED : Fate.DROPPED, chain);
            case Verdict.Queue ignored -> new TraceEnd(Fate.QUEUED, chain);
            case Verdict.Other ignored -> new TraceEnd(Fate.DROPPED, chain);
            case Verdict ignored -> new TraceEnd(Fate.VANISHED, TraceTable.isOurs(last.chain()) ? "" : chain);
        };
    }

    /** Whether it passed the chains of type nat by, at the hook where its way begins. */
    private boolean isKnown(List<TraceMessage> messages, List<TraceStep> steps) {
        int hook = messages.getFirst().in() == 0 ? NftHook.OUTPUT : NftHook.PREROUTING;
        boolean asked = steps.stream()
                .anyMatch(step ->
                        step.hook().filter(at -> at.type().equals("nat")).isPresent());
        boolean past = messages.stream()
                .flatMap(message -> names.hook(message.chain()).stream())
                .anyMatch(at -> at.number() != hook);
        return past && !asked && names.hasNat(hook);
    }
}
