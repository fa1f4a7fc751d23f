package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Matches the types of source and destination in the routing table ({@code struct xt_addrtype_info_v1}).
 *
 * @param source bits by {@code RTN_*}, for example {@link #LOCAL}; 0 for any
 * @param destination likewise
 * @param flags {@link #INVERT_SOURCE}, {@link #INVERT_DESTINATION} …
 */
public record XtAddrType(int source, int destination, int flags) implements XtMatch {
    /** An address of this machine. */
    public static final int LOCAL = 1 << 2;

    public static final int INVERT_SOURCE = 1;
    public static final int INVERT_DESTINATION = 2;

    /** {@code --src-type LOCAL}. */
    public static XtAddrType localSource(boolean negated) {
        return new XtAddrType(LOCAL, 0, negated ? INVERT_SOURCE : 0);
    }

    /** {@code --dst-type LOCAL}. */
    public static XtAddrType localDestination(boolean negated) {
        return new XtAddrType(0, LOCAL, negated ? INVERT_DESTINATION : 0);
    }

    private String side(String name, int types, int invert) {
        String text = types == LOCAL ? "LOCAL" : "0x" + Integer.toHexString(types);
        return types == 0 ? "" : ((flags & invert) != 0 ? " ! --" : " --") + name + "-type " + text;
    }

    static XtAddrType read(NlReader reader) throws DecodeException {
        return new XtAddrType(reader.u16(), reader.u16(), reader.u32());
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u16(source);
        writer.u16(destination);
        writer.u32(flags);
    }

    @Override
    public String toString() {
        return "-m addrtype" + side("src", source, INVERT_SOURCE) + side("dst", destination, INVERT_DESTINATION);
    }
}
