package io.dualstackd.netlink.nft.userdata;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The user data of nf_tables objects: small type-length-value lists that the kernel stores without interpreting them, in the format of the
 * {@code nft} tool (libnftnl's {@code udata.h}).
 */
public final class UserData {
    /** The type of a comment of a table, chain, rule or element. A set's comment has a type of its own. */
    public static final int COMMENT = 0;
    /** The longest comment in bytes of UTF-8: {@code nft} prints no more than 127. */
    public static final int MAX_COMMENT = 127;

    private static final int MAX_VALUE = 255;

    private UserData() {}

    /**
     * Returns user data that contains only a comment of a table, chain, rule or element.
     *
     * @throws IllegalArgumentException when it is longer than {@link #MAX_COMMENT}
     */
    public static Bytes comment(String comment) {
        NlWriter writer = new NlWriter(MAX_COMMENT + 3);
        put(writer, COMMENT, comment);
        return writer.toBytes();
    }

    /** Returns the comment in the user data of a table, chain, rule or element. */
    public static Optional<String> findComment(Bytes userData) {
        return findText(userData, COMMENT);
    }

    static void put(NlWriter writer, int type, String comment) {
        byte[] utf8 = comment.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > MAX_COMMENT) {
            throw new IllegalArgumentException(
                    "a comment holds at most " + MAX_COMMENT + " bytes, got " + utf8.length + ": \"" + comment + "\"");
        }
        writer.u8(type);
        writer.u8(utf8.length + 1);
        writer.bytes(utf8, 0, utf8.length);
        writer.u8(0);
    }

    static void put(NlWriter writer, int type, int hostOrder) {
        writer.u8(type);
        writer.u8(4);
        writer.u32(hostOrder);
    }

    /** Writes a value that is a list itself. */
    static void nest(NlWriter writer, int type, Consumer<NlWriter> body) {
        NlWriter inner = new NlWriter(64);
        body.accept(inner);
        if (inner.length() > MAX_VALUE) {
            throw new IllegalArgumentException("a value of user data holds at most 255 bytes, got " + inner.length());
        }
        writer.u8(type);
        writer.u8(inner.length());
        writer.bytes(inner.toBytes());
    }

    /** Returns the text of the given type; empty when it is missing, or the user data is not in the format of {@code nft}. */
    static Optional<String> findText(Bytes userData, int wanted) {
        NlReader reader = userData.reader("user data");
        try {
            while (reader.remaining() > 0) {
                int type = reader.u8();
                int length = reader.u8();
                if (type == wanted) {
                    return Optional.of(reader.fixedText(length));
                }
                reader.skip(length);
            }
            return Optional.empty();
        } catch (DecodeException notOfNft) {
            return Optional.empty();
        }
    }
}
