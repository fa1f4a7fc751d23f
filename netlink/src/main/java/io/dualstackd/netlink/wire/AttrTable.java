package io.dualstackd.netlink.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The attributes that a nest, or the body of a message type, may contain; named after the kernel's enum. */
public final class AttrTable {
    private final String name;
    private final @Nullable Attr[] byNumber;

    private AttrTable(String name, @Nullable Attr[] byNumber) {
        this.name = name;
        this.byNumber = byNumber;
    }

    /**
     * @param name for error messages, for example {@code IFLA} or {@code NFTA_RULE}
     * @throws IllegalArgumentException when two attributes have one number
     */
    public static AttrTable of(String name, Attr... attrs) {
        int max = Arrays.stream(attrs).mapToInt(Attr::number).max().orElse(0);
        @Nullable Attr[] byNumber = new @Nullable Attr[max + 1];
        for (Attr attr : attrs) {
            Attr earlier = byNumber[attr.number()];
            if (earlier != null) {
                throw new IllegalArgumentException(
                        name + ": " + earlier.name() + " and " + attr.name() + " share number " + attr.number());
            }
            byNumber[attr.number()] = attr;
        }
        return new AttrTable(name, byNumber);
    }

    public String name() {
        return name;
    }

    /** The declaration of number {@code number}, or null when the table does not have it. */
    public @Nullable Attr find(int number) {
        return number < byNumber.length ? byNumber[number] : null;
    }

    int size() {
        return byNumber.length;
    }
}
