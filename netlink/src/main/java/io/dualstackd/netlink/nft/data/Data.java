package io.dualstackd.netlink.nft.data;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** {@code NFTA_DATA}: a value for registers, or a verdict. */
public final class Data {
    private static final Attr.Payload VALUE = new Attr.Payload(1, "NFTA_DATA_VALUE");
    private static final Attr.Nest VERDICT = new Attr.Nest(2, "NFTA_DATA_VERDICT", Verdict.TABLE);
    /** The attributes of a data nest. */
    public static final AttrTable TABLE = AttrTable.of("NFTA_DATA", VALUE, VERDICT);

    private Data() {}

    public static void write(NlWriter writer, Attr.Nest nest, Bytes value) {
        int mark = writer.startNest(nest);
        writer.put(VALUE, value);
        writer.endNest(mark, nest);
    }

    public static void write(NlWriter writer, Attr.Nest nest, Verdict verdict) {
        int mark = writer.startNest(nest);
        int inner = writer.startNest(VERDICT);
        verdict.writeTo(writer);
        writer.endNest(inner, VERDICT);
        writer.endNest(mark, nest);
    }

    /** Reads the value in the nest {@code nest}. */
    public static Bytes value(Attrs attrs, Attr.Nest nest) throws DecodeException {
        return attrs.get(nest).get(VALUE);
    }

    /** Reads the verdict; null when the nest holds a value. */
    public static @Nullable Verdict findVerdict(Attrs data) throws DecodeException {
        return data.has(VERDICT) ? Verdict.read(data.get(VERDICT)) : null;
    }

    /** Reads the value from the content of a data nest. */
    public static Bytes value(Attrs data) throws DecodeException {
        return data.get(VALUE);
    }

    /** The registers as {@code nft --debug=netlink} prints them: words of four bytes as host-order numbers. */
    public static String words(Bytes value) {
        NlReader reader = value.padTo((value.length() + 3) / 4 * 4).reader("value");
        StringBuilder text = new StringBuilder();
        while (reader.remaining() > 0) {
            try {
                text.append(text.isEmpty() ? "0x" : " 0x").append(HexFormat.of().toHexDigits(reader.u32()));
            } catch (DecodeException impossible) {
                throw new AssertionError(impossible);
            }
        }
        return text.toString();
    }
}
