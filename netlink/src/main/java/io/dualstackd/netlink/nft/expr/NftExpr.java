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
    String name();

    /** Writes the attributes of {@code NFTA_EXPR_DATA}, without the nest around them. */
    void writeData(NlWriter writer);
}
