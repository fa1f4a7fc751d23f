package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/** Changes the packet's mark ({@code struct xt_mark_tginfo2}): {@code mark = (mark & ~mask) ^ value}. */
public record XtSetMark(int value, int mask) implements XtTarget {
    static XtSetMark read(NlReader reader) throws DecodeException {
        return new XtSetMark(reader.u32(), reader.u32());
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u32(value);
        writer.u32(mask);
    }

    @Override
    public String toString() {
        return "-j MARK --set-xmark 0x" + Integer.toHexString(value) + "/0x" + Integer.toHexString(mask);
    }
}
