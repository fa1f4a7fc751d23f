package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.nft.userdata.SetUserData;
import io.dualstackd.netlink.wire.Bytes;
import java.util.List;

/**
 * A set or map.
 *
 * @param flags {@code enum nft_set_flags}, see the constants
 * @param keyType number of an {@link NftType}
 * @param keyLength bytes of a key
 * @param dataType number of an {@link NftType}, 0 for a set
 * @param dataLength bytes of an element's data, 0 for sets and verdict maps
 * @param timeoutMillis lifetime of its elements, 0 for no limit
 * @param gcMillis interval of the garbage collection of expired elements, 0 for the kernel's default
 * @param size limit of its elements, 0 for no limit; with a limit the kernel allocates its hash table once, without it the table grows, and
 *     lists read while it grows have to be read again
 * @param fields bytes of each part of a concatenated key, sent to the kernel for {@link #INTERVAL} keys; else empty
 * @param id by which messages of one transaction refer to it, never 0 in a set that is written
 * @param handle given by the kernel, 0 when not known
 * @param userData see {@link SetUserData}
 * @param expressions evaluated for each element that a rule adds or matches, for example a counter
 */
public record NftSet(
        SetName name,
        int flags,
        int keyType,
        int keyLength,
        int dataType,
        int dataLength,
        long timeoutMillis,
        int gcMillis,
        int size,
        List<Integer> fields,
        int id,
        long handle,
        Bytes userData,
        List<NftExpr> expressions) {
    public static final int ANONYMOUS = 0x1;
    public static final int CONSTANT = 0x2;
    public static final int INTERVAL = 0x4;
    public static final int MAP = 0x8;
    public static final int TIMEOUT = 0x10;
    /** Rules can add elements. */
    public static final int DYNAMIC = 0x20;

    public static final int OBJECT = 0x40;
    /** The key is a concatenation with ranges in it. */
    public static final int CONCAT = 0x80;

    public static final int EXPRESSIONS = 0x100;

    public NftSet {
        fields = List.copyOf(fields);
        expressions = List.copyOf(expressions);
    }

    public static NftSet set(SetName name, NftType key) {
        return new NftSet(name, 0, key.number(), key.length(), 0, 0, 0, 0, 0, List.of(), 1, 0, Bytes.EMPTY, List.of());
    }

    /** A map; with {@link NftType#VERDICT} as data, a verdict map. */
    public static NftSet map(SetName name, NftType key, NftType data) {
        return new NftSet(
                name,
                MAP,
                key.number(),
                key.length(),
                data.number(),
                data.length(),
                0,
                0,
                0,
                List.of(),
                1,
                0,
                Bytes.EMPTY,
                List.of());
    }

    public boolean isMap() {
        return (flags & MAP) != 0;
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Allows ranges as keys. */
    public NftSet withIntervals(NftType key) {
        int more = INTERVAL | (key.isConcatenation() ? CONCAT : 0);
        List<Integer> parts = key.isConcatenation() ? key.parts() : List.of();
        return copy(flags | more, timeoutMillis, size, parts, id, userData);
    }

    /** Allows rules to add elements with a lifetime of {@code millis}, at most {@code limit} of them. */
    public NftSet dynamic(long millis, int limit) {
        return copy(flags | DYNAMIC | (millis == 0 ? 0 : TIMEOUT), millis, limit, fields, id, userData);
    }

    /** Allows a timeout for each element. */
    public NftSet withTimeouts() {
        return copy(flags | TIMEOUT, timeoutMillis, size, fields, id, userData);
    }

    public NftSet withSize(int limit) {
        return copy(flags, timeoutMillis, limit, fields, id, userData);
    }

    public NftSet withId(int newId) {
        return copy(flags, timeoutMillis, size, fields, newId, userData);
    }

    public NftSet withUserData(Bytes newUserData) {
        return copy(flags, timeoutMillis, size, fields, id, newUserData);
    }

    /** Gives each element an expression of its own, for example a counter. */
    public NftSet withExpression(NftExpr expression) {
        NftSet copy = copy(flags, timeoutMillis, size, fields, id, userData);
        return new NftSet(
                copy.name,
                copy.flags,
                copy.keyType,
                copy.keyLength,
                copy.dataType,
                copy.dataLength,
                copy.timeoutMillis,
                copy.gcMillis,
                copy.size,
                copy.fields,
                copy.id,
                copy.handle,
                copy.userData,
                List.of(expression));
    }

    private NftSet copy(int newFlags, long timeout, int limit, List<Integer> parts, int newId, Bytes user) {
        return new NftSet(
                name,
                newFlags,
                keyType,
                keyLength,
                dataType,
                dataLength,
                timeout,
                gcMillis,
                limit,
                parts,
                newId,
                handle,
                user,
                expressions);
    }

    @Override
    public String toString() {
        return (isMap() ? "map " : "set ") + name;
    }
}
