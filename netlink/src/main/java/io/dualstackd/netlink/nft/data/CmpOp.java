package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.nft.expr.Cmp;
import org.jspecify.annotations.Nullable;

/** The operator of {@link Cmp} ({@code enum nft_cmp_ops}); values are compared byte by byte, so in network order. */
public enum CmpOp {
    EQ(0, "eq"),
    NEQ(1, "neq"),
    LT(2, "lt"),
    LTE(3, "lte"),
    GT(4, "gt"),
    GTE(5, "gte");

    private static final CmpOp[] ALL = values();

    private final int number;
    private final String text;

    CmpOp(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** The kernel's number. */
    public int number() {
        return number;
    }

    /** The operator with that number, or null for an unknown one. */
    public static @Nullable CmpOp find(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : null;
    }

    @Override
    public String toString() {
        return text;
    }
}
