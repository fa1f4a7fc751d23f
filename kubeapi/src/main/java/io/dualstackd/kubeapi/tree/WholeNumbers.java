package io.dualstackd.kubeapi.tree;

import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads whole numbers by the core schema of YAML 1.2: decimal, {@code 0o17}, {@code 0x1f}. */
public final class WholeNumbers {
    /** A longer text is not a number of any API object. */
    private static final int MAX_DIGITS = 20;

    private WholeNumbers() {}

    /** Empty when it is not a whole number, or does not fit into an {@code int}. */
    public static OptionalInt of(Tree tree) {
        Optional<BigInteger> number = exact(tree);
        return number.isPresent() && number.get().bitLength() < Integer.SIZE
                ? OptionalInt.of(number.get().intValueExact())
                : OptionalInt.empty();
    }

    /** Empty when it is not a whole number, or too long to be computed. */
    public static Optional<BigInteger> exact(Tree tree) {
        if (!(tree instanceof Tree.Scalar(String text, Tree.Type type, int line))
                || type != Tree.Type.WHOLE_NUMBER
                || text.length() > MAX_DIGITS) {
            return Optional.empty();
        }
        try {
            if (text.startsWith("0o")) {
                return Optional.of(new BigInteger(text.substring(2), 8));
            }
            return Optional.of(text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text));
        } catch (NumberFormatException e) {
            // Only possible for a tree that was not read from a text.
            return Optional.empty();
        }
    }
}
