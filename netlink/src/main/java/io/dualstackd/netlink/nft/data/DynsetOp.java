package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.nft.expr.Dynset;
import org.jspecify.annotations.Nullable;

/** The operation of {@link Dynset} on the set ({@code enum nft_dynset_ops}). */
public enum DynsetOp {
    ADD(0, "add"),
    UPDATE(1, "update"),
    DELETE(2, "delete");

    private static final DynsetOp[] ALL = values();

    private final int number;
    private final String text;

    DynsetOp(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** The kernel's number. */
    public int number() {
        return number;
    }

    /** The operation with that number, or null for an unknown one. */
    public static @Nullable DynsetOp find(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : null;
    }

    @Override
    public String toString() {
        return text;
    }
}
