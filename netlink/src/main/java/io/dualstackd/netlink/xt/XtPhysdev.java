package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Matches the bridge port by which a packet is received or sent ({@code struct xt_physdev_info}).
 *
 * @param inverted the conditions of {@code bitmask} that are inverted
 * @param bitmask the conditions: {@link #IN}, {@link #OUT}, {@link #BRIDGED}, {@link #IS_IN}, {@link #IS_OUT}
 */
public record XtPhysdev(XtInterface in, XtInterface out, int inverted, int bitmask) implements XtMatch {
    public static final int IN = 1;
    public static final int OUT = 2;
    public static final int BRIDGED = 4;
    public static final int IS_IN = 8;
    public static final int IS_OUT = 16;

    private String asked(int what, String option) {
        return (bitmask & what) == 0 ? "" : ((inverted & what) != 0 ? " ! --physdev-" : " --physdev-") + option;
    }

    static XtPhysdev read(NlReader reader) throws DecodeException {
        return new XtPhysdev(XtInterface.read(reader), XtInterface.read(reader), reader.u8(), reader.u8());
    }

    @Override
    public void writeTo(NlWriter writer) {
        in.writeTo(writer);
        out.writeTo(writer);
        writer.u8(inverted);
        writer.u8(bitmask);
    }

    @Override
    public String toString() {
        return "-m physdev" + asked(IS_IN, "is-in") + asked(IN, "in " + in) + asked(IS_OUT, "is-out")
                + asked(OUT, "out " + out) + asked(BRIDGED, "is-bridged");
    }
}
