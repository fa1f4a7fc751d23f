package io.dualstackd.netlink.nft.userdata;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the user data of a set ({@code enum nftnl_udata_set_types} of libnftnl). */
public final class SetUserData {
    private static final int KEY_BYTEORDER = 0;
    private static final int DATA_BYTEORDER = 1;
    private static final int KEY_TYPEOF = 3;
    private static final int DATA_TYPEOF = 4;
    private static final int DATA_INTERVAL = 6;
    private static final int COMMENT = 7;

    private static final int MIXED = 0;
    private static final int HOST = 1;
    private static final int NETWORK = 2;

    private SetUserData() {}

    /** Returns the user data of a set or map; {@code data} is null for a set, {@code comment} empty for none. */
    public static Bytes of(Typeof key, @Nullable Typeof data, String comment) {
        NlWriter writer = new NlWriter(256);
        UserData.put(writer, KEY_BYTEORDER, byteOrder(key));
        if (data != null) {
            UserData.put(writer, DATA_BYTEORDER, byteOrder(data));
        }
        UserData.nest(writer, KEY_TYPEOF, key::writeTo);
        if (data != null) {
            UserData.nest(writer, DATA_TYPEOF, data::writeTo);
            UserData.put(writer, DATA_INTERVAL, 0);
        }
        if (!comment.isEmpty()) {
            UserData.put(writer, COMMENT, comment);
        }
        return writer.toBytes();
    }

    /** Returns the user data of a set or map whose types have names, so that {@code nft} lists {@code type} instead of {@code typeof}. */
    public static Bytes plain(NftType key, @Nullable NftType data, String comment) {
        NlWriter writer = new NlWriter(256);
        UserData.put(writer, KEY_BYTEORDER, byteOrder(key));
        if (data != null) {
            UserData.put(writer, DATA_BYTEORDER, byteOrder(data));
        }
        if (key.isConcatenation()) {
            UserData.nest(writer, KEY_TYPEOF, new Typeof.Concat(List.of())::writeTo);
        }
        if (data != null) {
            UserData.put(writer, DATA_INTERVAL, 0);
        }
        if (!comment.isEmpty()) {
            UserData.put(writer, COMMENT, comment);
        }
        return writer.toBytes();
    }

    private static int byteOrder(NftType type) {
        return type.isConcatenation() || type.equals(NftType.VERDICT)
                ? MIXED
                : type.equals(NftType.IPV4_ADDR) || type.equals(NftType.IPV6_ADDR) || type.equals(NftType.INET_SERVICE)
                        ? NETWORK
                        : HOST;
    }

    /** Returns {@code enum byteorder} of nft: a concatenation or a verdict has none of its own. */
    private static int byteOrder(Typeof expression) {
        return switch (expression) {
            case Typeof.Header(int ignored, int alsoIgnored) -> NETWORK;
            case Typeof.MetaKey(int ignored) -> HOST;
            case Typeof.RandomNumber(int ignored) -> HOST;
            case Typeof.ToVerdict() -> MIXED;
            case Typeof.Concat(var ignored) -> MIXED;
        };
    }
}
