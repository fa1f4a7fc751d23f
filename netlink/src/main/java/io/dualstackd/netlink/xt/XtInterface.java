package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.charset.StandardCharsets;

/**
 * The name of a network device as xtables structures hold it: 16 bytes of name, 16 bytes of mask.
 *
 * @param name at most 15 bytes; empty for any device
 * @param prefix true for all devices whose name has this prefix, written with {@code +}
 */
public record XtInterface(String name, boolean prefix) {

    private static final int SIZE = 16;

    static XtInterface read(NlReader reader) throws DecodeException {
        String name = XtText.read(reader, SIZE);
        reader.skip(SIZE);
        boolean prefix = name.endsWith("+");
        return new XtInterface(prefix ? name.substring(0, name.length() - 1) : name, prefix);
    }

    void writeTo(NlWriter writer) {
        writer.fixedText(prefix ? name + "+" : name, SIZE);
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        // The mask of a whole name covers the NUL at its end, too.
        int compared = prefix ? length : name.isEmpty() ? 0 : length + 1;
        for (int i = 0; i < compared; i++) {
            writer.u8(0xff);
        }
        writer.zeros(SIZE - compared);
    }

    @Override
    public String toString() {
        return prefix ? name + "+" : name;
    }
}
