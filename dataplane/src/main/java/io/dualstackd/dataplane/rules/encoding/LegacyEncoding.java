package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.xt.XtAddrType;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtConntrack;
import io.dualstackd.netlink.xt.XtDnat;
import io.dualstackd.netlink.xt.XtMark;
import io.dualstackd.netlink.xt.XtMasquerade;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtNfacct;
import io.dualstackd.netlink.xt.XtRandom;
import io.dualstackd.netlink.xt.XtRecent;
import io.dualstackd.netlink.xt.XtReject;
import io.dualstackd.netlink.xt.XtSctp;
import io.dualstackd.netlink.xt.XtSetMark;
import io.dualstackd.netlink.xt.XtTcp;
import io.dualstackd.netlink.xt.XtUdp;
import io.dualstackd.netlink.xt.table.EntryDraft;
import io.dualstackd.netlink.xt.table.XtEntry;

/** Encodes rules of one family as the entries that {@code iptables-legacy} 1.8.9 writes for them. Used by one thread. */
public final class LegacyEncoding {
    private final IpFamily family;
    private final SipHash hash;

    public LegacyEncoding(IpFamily family, PrintKey key) {
        this.family = family;
        this.hash = new SipHash(key);
    }

    /** The rule as the kernel is to hold it, encoded once for the comparison and for sending. */
    public RuleImage image(Rule rule) {
        return image(rule, Counter.ZERO);
    }

    /** The same with a counter that starts at a value. */
    public RuleImage image(Rule rule, Counter start) {
        XtEntry entry = entry(rule, start);
        return new RuleImage.Entry(rule, print(entry), entry);
    }

    /** The print of a rule in a table that was read; its counters do not count. Equal to that of its image. */
    public Fingerprint print(XtEntry entry) {
        hash.start();
        entry.tell(hash::word);
        return hash.finish();
    }

    private XtEntry entry(Rule rule, Counter start) {
        EntryDraft draft = EntryDraft.of(family).counters(start.packets(), start.bytes());
        for (Match match : rule.matches()) {
            add(match, draft);
        }
        return switch (rule.target()) {
            case Target.None() -> draft.count();
            case Target.Jump(String chain) -> draft.jump(chain);
            case Target.Accept() -> draft.accept();
            case Target.Drop() -> draft.drop();
            case Target.Return() -> draft.returning();
            case Target.Reject() -> draft.target(XtReject.of(family));
            case Target.Dnat(var to) -> draft.target(new XtDnat(to.ip(), to.port()));
            case Target.Masquerade(boolean fullyRandom) -> draft.target(XtMasquerade.of(family, fullyRandom));
            case Target.SetXmark(int value, int mask) -> draft.target(new XtSetMark(value, mask));
        };
    }

    private static void add(Match match, EntryDraft draft) {
        switch (match) {
            case Match.Source(var prefix, boolean negated) -> draft.source(prefix, negated);
            case Match.Destination(var prefix, boolean negated) -> draft.destination(prefix, negated);
            case Match.Protocol(Proto proto) -> draft.protocol(proto);
            case Match.InInterface(String name, boolean prefix, boolean negated) -> draft.in(name, prefix, negated);
            case Match.DestinationPort(Proto proto, int port) -> draft.match(toPort(proto, port));
            case Match.AnyPort(Proto proto) -> draft.match(MatchEncoding.anyPort(proto));
            case Match.Mark(int value, int mask, boolean negated) -> draft.match(new XtMark(value, mask, negated));
            case Match.Comment(String text) -> draft.match(new XtComment(text));
            case Match.SourceIsLocal(boolean negated) -> draft.match(XtAddrType.localSource(negated));
            case Match.DestinationIsLocal(boolean negated) -> draft.match(XtAddrType.localDestination(negated));
            case Match.CtState(var states, boolean negated) ->
                draft.match(new XtConntrack(MatchEncoding.states(states), negated));
            case Match.Random(int threshold) -> draft.match(new XtRandom(threshold, false));
            case Match.SeenWithin(String list, int seconds) -> draft.match(XtRecent.seenWithin(list, seconds));
            case Match.CountAt(String object) -> draft.match(new XtNfacct(object));
            case Match.Remember(String list) -> draft.match(XtRecent.set(list));
        }
    }

    private static XtMatch toPort(Proto proto, int port) {
        if (proto.equals(Proto.TCP)) {
            return XtTcp.toPort(port);
        }
        if (proto.equals(Proto.UDP)) {
            return new XtUdp(0, 0xffff, port, port, 0);
        }
        if (proto.equals(Proto.SCTP)) {
            return XtSctp.toPort(port);
        }
        throw new IllegalArgumentException("no port match for protocol " + proto);
    }
}
