package io.dualstackd.netlink.nft.data;

import org.jspecify.annotations.Nullable;

/** The header from which an offset is counted ({@code enum nft_payload_bases}). */
public enum PayloadBase {
    LINK(0, "link header"),
    NETWORK(1, "network header"),
    TRANSPORT(2, "transport header"),
    INNER(3, "inner header"),
    TUNNEL(4, "tunnel header");

    private static final PayloadBase[] ALL = values();

    private final int number;
    private final String text;

    PayloadBase(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** The kernel's number. */
    public int number() {
        return number;
    }

    /** The base with that number, or null for an unknown one. */
    public static @Nullable PayloadBase find(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : null;
    }

    @Override
    public String toString() {
        return text;
    }
}
