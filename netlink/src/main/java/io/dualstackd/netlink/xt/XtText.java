package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads C strings in structures. */
final class XtText {
    private XtText() {}

    /**
     * Returns the text in a field of {@code size} bytes. Stricter than {@link NlReader#fixedText}: without a NUL, or when it is not UTF-8,
     * the text could not be written back, so it is refused and the structure keeps its bytes.
     */
    static String read(NlReader reader, int size) throws DecodeException {
        Bytes field = reader.bytes(size);
        int length = 0;
        while (length < size && field.at(length) != 0) {
            length++;
        }
        if (length == size) {
            throw reader.error("want a NUL within " + size + " bytes");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(field.toArray(), 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw reader.error("want text in UTF-8");
        }
    }
}
