package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.RuleCompat;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.nft.expr.XtTargetExpr;
import io.dualstackd.netlink.wire.AttrCursor;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.netlink.xt.XtDnat;
import io.dualstackd.netlink.xt.XtMasquerade;
import io.dualstackd.netlink.xt.XtReject;
import io.dualstackd.netlink.xt.XtSetMark;
import io.dualstackd.netlink.xt.XtTarget;
import java.util.ArrayList;
import java.util.List;

/** Encodes rules of one family as nf_tables expressions; {@link LegacyEncoding} encodes them as entries. Used by one thread. */
public final class IptablesEncoding {
    private final IpFamily family;
    private final MatchEncoding matches;
    private final ExpressionPrint print;
    private final NlWriter scratch = new NlWriter(1024);

    public IptablesEncoding(IpFamily family, PrintKey key) {
        this.family = family;
        this.matches = new MatchEncoding(family);
        this.print = new ExpressionPrint(key);
    }

    /** The rule as the kernel is to hold it, encoded once for the comparison and for sending. */
    public RuleImage image(Rule rule) {
        return image(rule, Counter.ZERO);
    }

    /** As {@link #image(Rule)}, for a rule whose counter starts at a value; its print is the same. */
    public RuleImage image(Rule rule, Counter start) {
        RuleBody body = RuleBody.encode(scratch, expressions(rule, start), compat(rule));
        try {
            return new RuleImage.Expressions(rule, print.of(body.expressions()), body);
        } catch (DecodeException e) {
            throw new IllegalStateException("a rule of ours does not decode: " + rule, e);
        }
    }

    /**
     * The print of a rule listed by the kernel; counters, handle and user data do not count. Equal to that of its image.
     *
     * @param expressions consumed
     */
    public Fingerprint print(AttrCursor expressions) throws DecodeException {
        return print.of(expressions);
    }

    /** The order iptables-nft writes: interfaces, protocol and addresses first, then the matches in order, a counter, the target. */
    private List<NftExpr> expressions(Rule rule, Counter start) {
        List<NftExpr> into = new ArrayList<>(12);
        List<Match> all = rule.matches();
        for (int rank = 0; rank <= MatchEncoding.EXTENSION; rank++) {
            for (int i = 0; i < all.size(); i++) {
                Match match = all.get(i);
                if (MatchEncoding.rank(match) == rank) {
                    matches.encode(match, into);
                }
            }
        }
        into.add(start);
        encode(rule.target(), into);
        return into;
    }

    /** The kernel refuses extensions such as {@code tcp} and {@code DNAT} to a port in a rule without their protocol. */
    private static RuleCompat compat(Rule rule) {
        for (Match match : rule.matches()) {
            if (match instanceof Match.Protocol(Proto proto)) {
                return new RuleCompat(proto.number(), false);
            }
        }
        return RuleCompat.NONE;
    }

    private void encode(Target target, List<NftExpr> into) {
        switch (target) {
            case Target.None() -> {}
            case Target.Jump(String chain) -> into.add(new VerdictExpr(new Verdict.Jump(chain)));
            case Target.Accept() -> into.add(new VerdictExpr(new Verdict.Accept()));
            case Target.Drop() -> into.add(new VerdictExpr(new Verdict.Drop()));
            case Target.Return() -> into.add(new VerdictExpr(new Verdict.Return()));
            case Target.Reject() -> into.add(extension(XtReject.of(family)));
            case Target.Dnat(var to) -> into.add(extension(new XtDnat(to.ip(), to.port())));
            case Target.Masquerade(boolean fullyRandom) -> into.add(extension(XtMasquerade.of(family, fullyRandom)));
            case Target.SetXmark(int value, int mask) -> into.add(extension(new XtSetMark(value, mask)));
        }
    }

    private static XtTargetExpr extension(XtTarget target) {
        return new XtTargetExpr(target.struct().name(), target.struct().revision(), target.info());
    }
}
