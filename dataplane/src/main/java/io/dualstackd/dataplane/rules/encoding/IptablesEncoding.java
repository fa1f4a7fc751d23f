package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.RuleCompat;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Verdict;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.nft.expr.XtTargetExpr;
import io.dualstackd.netlink.xt.XtDnat;
import io.dualstackd.netlink.xt.XtMasquerade;
import io.dualstackd.netlink.xt.XtReject;
import io.dualstackd.netlink.xt.XtSetMark;
import io.dualstackd.netlink.xt.XtTarget;
import java.util.ArrayList;
import java.util.List;

/** Rules of one family as nf_tables expressions. Used by one thread. */
public final class IptablesEncoding {
    private final IpFamily family;
    private final MatchEncoding matches;
    private final ExpressionPrint print = new ExpressionPrint();

    public IptablesEncoding(IpFamily family) {
        this.family = family;
        this.matches = new MatchEncoding(family);
    }

    /** The rule as the kernel is to hold it. */
    public NftRule encode(ChainName chain, Rule rule) {
        return NftRule.of(chain, expressions(rule)).withCompat(compat(rule));
    }

    /** The print of the rule once the kernel holds it. */
    public Fingerprint print(Rule rule) {
        return print.of(expressions(rule));
    }

    /** The print of a rule read from the kernel; counters, handle and user data do not count. */
    public Fingerprint print(NftRule rule) {
        return print.of(rule.expressions());
    }

    /** What iptables-nft writes: interfaces, protocol and addresses first, then the matches in order, a counter, the target. */
    private List<NftExpr> expressions(Rule rule) {
        List<NftExpr> into = new ArrayList<>(12);
        for (int rank = 0; rank <= MatchEncoding.EXTENSION; rank++) {
            for (Match match : rule.matches()) {
                if (MatchEncoding.rank(match) == rank) {
                    matches.encode(match, into);
                }
            }
        }
        into.add(Counter.ZERO);
        encode(rule.target(), into);
        return into;
    }

    /** Extensions such as {@code tcp} and {@code DNAT} to a port are refused in a rule without their protocol. */
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
