package io.dualstackd.explain.trace;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.expr.Masq;
import io.dualstackd.netlink.nft.expr.MetaSet;
import io.dualstackd.netlink.nft.expr.Nat;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Notrack;
import io.dualstackd.netlink.nft.expr.Redir;
import io.dualstackd.netlink.nft.expr.Reject;
import io.dualstackd.netlink.nft.expr.XtMatchExpr;
import io.dualstackd.netlink.nft.expr.XtTargetExpr;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtTarget;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The comment of a rule, and its effects on a packet other than the verdict. */
final class RuleWords {
    /** {@code XT_CT_NOTRACK}. */
    private static final int CT_NOTRACK = 1;

    private static final String TARGET = "-j ";

    private RuleWords() {}

    /** {@code "demo/web:http cluster IP"}, {@code DNAT --to-destination 10.244.0.11:8080}; empty when there is nothing to say. */
    static String of(NftRule rule) {
        return Stream.concat(comments(rule), rule.expressions().stream().flatMap(one -> action(one, rule)))
                .collect(Collectors.joining(" "));
    }

    /** Whether the rule refuses a packet, which then is dropped. */
    static boolean rejects(NftRule rule) {
        return rule.expressions().stream()
                .anyMatch(expression -> expression instanceof Reject
                        || (expression instanceof XtTargetExpr target
                                && target.extension().equals("REJECT")));
    }

    /** Whether the rule takes a packet out of connection tracking, so that no chain of type nat sees it. */
    static boolean untracks(NftRule rule) {
        return rule.expressions().stream()
                .anyMatch(expression -> expression instanceof Notrack
                        || (expression instanceof XtTargetExpr target && isNotrack(target)));
    }

    private static boolean isNotrack(XtTargetExpr target) {
        try {
            return target.extension().equals("NOTRACK")
                    || (target.extension().equals("CT")
                            && (target.info().reader("target").u16() & CT_NOTRACK) != 0);
        } catch (DecodeException e) {
            return false;
        }
    }

    /** Whether the rule gives a packet the address of the interface it leaves through. */
    static boolean masquerades(NftRule rule) {
        return rule.expressions().stream()
                .anyMatch(expression -> expression instanceof Masq
                        || (expression instanceof XtTargetExpr target
                                && target.extension().equals("MASQUERADE")));
    }

    private static Stream<String> comments(NftRule rule) {
        List<String> matched = rule.expressions().stream()
                .flatMap(expression -> expression instanceof XtMatchExpr match ? comment(match) : Stream.empty())
                .toList();
        Optional<String> own = UserData.findComment(rule.userData());
        return Stream.concat(own.stream(), matched.stream()).map(text -> '"' + text + '"');
    }

    private static Stream<String> comment(XtMatchExpr match) {
        return XtMatch.read(match.extension(), match.revision(), match.info()) instanceof XtComment(String text)
                ? Stream.of(text)
                : Stream.empty();
    }

    private static Stream<String> action(NftExpr expression, NftRule rule) {
        return switch (expression) {
            case XtTargetExpr target -> Stream.of(target(target, rule));
            case MetaSet(MetaKey key, int ignored) -> Stream.of("set " + key);
            case Nat ignored -> Stream.of("nat");
            case Masq ignored -> Stream.of("masquerade");
            case Redir ignored -> Stream.of("redirect");
            case Reject ignored -> Stream.of("reject");
            case Notrack ignored -> Stream.of("notrack");
            default -> Stream.empty();
        };
    }

    private static String target(XtTargetExpr target, NftRule rule) {
        IpFamily family = rule.chain().table().family().equals(NftFamily.IP6) ? IpFamily.IPV6 : IpFamily.IPV4;
        XtTarget known = XtTarget.read(target.extension(), target.revision(), target.info(), family);
        return known instanceof XtTarget.Other
                ? target.extension()
                : known.toString().substring(TARGET.length());
    }
}
