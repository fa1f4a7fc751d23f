package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/** Matches the packet's mark ({@code struct xt_mark_mtinfo1}): {@code mark & mask == value}. */
public record XtMark(int value, int mask, boolean inverted) implements XtMatch {
    static XtMark read(NlReader reader) throws DecodeException {
        return new XtMark(reader.u32(), reader.u32(), reader.u8() != 0);
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u32(value);
        writer.u32(mask);
        writer.u8(inverted ? 1 : 0);
        writer.zeros(3);
    }

    @Override
    public String toString() {
        return "-m mark" + (inverted ? " !" : "") + " --mark 0x" + Integer.toHexString(value) + "/0x"
                + Integer.toHexString(mask);
    }
}
