package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * An element of a set or map.
 *
 * @param key the key; in sets with ranges the range's start
 * @param keyEnd the end of the range, inclusive, for concatenated keys; else empty
 * @param flags {@link #INTERVAL_END}, {@link #CATCHALL}
 * @param timeoutMillis its own timeout, 0 for the set's
 * @param expirationMillis the remaining time, as read
 * @param userData see {@link UserData}
 * @param expressions attached to the element, for example a counter
 */
public record NftElement(
        Bytes key,
        Bytes keyEnd,
        MapData data,
        int flags,
        long timeoutMillis,
        long expirationMillis,
        Bytes userData,
        List<NftExpr> expressions) {
    /** The key is the first one after a range of a plain (not concatenated) type. */
    public static final int INTERVAL_END = 1;
    /** Matches all keys without an element. */
    public static final int CATCHALL = 2;

    /** The element of a set for all keys without one. */
    public static final NftElement CATCH_ALL =
            new NftElement(Bytes.EMPTY, Bytes.EMPTY, MapData.NOTHING, CATCHALL, 0, 0, Bytes.EMPTY, List.of());

    public NftElement {
        expressions = List.copyOf(expressions);
    }

    /** An element of a set. */
    public static NftElement of(Bytes key) {
        return of(key, MapData.NOTHING, Bytes.EMPTY);
    }

    /** An element of a map. */
    public static NftElement of(Bytes key, Bytes value) {
        return of(key, new MapData.Value(value), Bytes.EMPTY);
    }

    /** An element of a verdict map. */
    public static NftElement of(Bytes key, Verdict verdict) {
        return of(key, new MapData.Does(verdict), Bytes.EMPTY);
    }

    /** An element with user data, see {@link UserData#comment}. */
    public static NftElement of(Bytes key, MapData data, Bytes userData) {
        return new NftElement(key, Bytes.EMPTY, data, 0, 0, 0, userData, List.of());
    }

    public NftElement withComment(String comment) {
        Bytes user = UserData.comment(comment);
        return new NftElement(key, keyEnd, data, flags, timeoutMillis, expirationMillis, user, expressions);
    }

    /** Returns a range of concatenated keys, both ends included. */
    public NftElement to(Bytes lastKey) {
        return new NftElement(key, lastKey, data, flags, timeoutMillis, expirationMillis, userData, expressions);
    }

    public Optional<String> comment() {
        return UserData.findComment(userData);
    }

    /** {@code 0x0a000001 : goto -> pick-3}. */
    @Override
    public String toString() {
        String to = keyEnd.length() > 0 ? "-0x" + keyEnd : (flags & INTERVAL_END) != 0 ? " end" : "";
        String held = switch (data) {
            case MapData.Nothing() -> "";
            case MapData.Value(Bytes bytes) -> " : 0x" + bytes;
            case MapData.Does(Verdict verdict) -> " : " + verdict;
        };
        return ((flags & CATCHALL) != 0 ? "*" : "0x" + key)
                + to
                + comment().map(c -> " comment \"" + c + "\"").orElse("")
                + held;
    }
}
