package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.Locale;

/**
 * Matches at random ({@code struct xt_statistic_info} in mode random).
 *
 * @param threshold matches when a random 31-bit number is below it
 * @param inverted true to match the others
 */
public record XtRandom(int threshold, boolean inverted) implements XtMatch {
    private static final int MODE_RANDOM = 0;

    static XtRandom read(NlReader reader) throws DecodeException {
        reader.skip(2);
        boolean inverted = reader.u16() != 0;
        return new XtRandom(reader.u32(), inverted);
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u16(MODE_RANDOM);
        writer.u16(inverted ? 1 : 0);
        writer.u32(threshold);
        writer.u32(0);
        // The count of mode nth, which iptables derives in every mode; the kernel ignores it and returns it unchanged.
        writer.u32(threshold);
        writer.zeros(XtStruct.STATISTIC.size() - 16);
    }

    @Override
    public String toString() {
        return "-m statistic --mode random" + (inverted ? " !" : "") + " --probability "
                + String.format(Locale.ROOT, "%.11f", threshold / 0x1p31);
    }
}
