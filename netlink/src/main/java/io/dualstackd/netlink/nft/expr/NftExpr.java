package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.NlWriter;

/**
 * One expression of a rule. A rule evaluates its expressions in order; each reads or writes registers, and one that does not match ends the
 * rule. {@code toString} is the bracket form of {@code nft --debug=netlink}.
 */
public sealed interface NftExpr
        permits Bitwise,
                Byteorder,
                Cmp,
                Counter,
                Ct,
                Ct.Set,
                Dynset,
                Fib,
                Immediate,
                Limit,
                Log,
                Lookup,
                Masq,
                Meta,
                MetaSet,
                Nat,
                Notrack,
                Numgen,
                Objref,
                OtherExpr,
                Payload,
                PayloadWrite,
                Range,
                Redir,
                Reject,
                Shift,
                VerdictExpr,
                XtMatchExpr,
                XtTargetExpr {

    /** The kernel's name of the expression, for example {@code payload}. */
    default String name() {
        return switch (this) {
            case Bitwise _, Shift _ -> Bitwise.NAME;
            case Byteorder _ -> Byteorder.NAME;
            case Cmp _ -> Cmp.NAME;
            case Counter _ -> Counter.NAME;
            case Ct _, Ct.Set _ -> Ct.NAME;
            case Dynset _ -> Dynset.NAME;
            case Fib _ -> Fib.NAME;
            case Immediate _, VerdictExpr _ -> Immediate.NAME;
            case Limit _ -> Limit.NAME;
            case Log _ -> Log.NAME;
            case Lookup _ -> Lookup.NAME;
            case Masq _ -> Masq.NAME;
            case Meta _, MetaSet _ -> Meta.NAME;
            case Nat _ -> Nat.NAME;
            case Notrack _ -> Notrack.NAME;
            case Numgen _ -> Numgen.NAME;
            case Objref _ -> Objref.NAME;
            case Payload _, PayloadWrite _ -> Payload.NAME;
            case Range _ -> Range.NAME;
            case Redir _ -> Redir.NAME;
            case Reject _ -> Reject.NAME;
            case XtMatchExpr _ -> XtMatchExpr.NAME;
            case XtTargetExpr _ -> XtTargetExpr.NAME;
            case OtherExpr other -> other.name();
        };
    }

    /** Writes the attributes of {@code NFTA_EXPR_DATA}, without the nest around them. */
    void writeData(NlWriter writer);
}
