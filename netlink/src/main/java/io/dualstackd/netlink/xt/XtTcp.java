package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Matches ports, flags and options of TCP ({@code struct xt_tcp}).
 *
 * @param sourceMin lowest source port, 0 to 65535; likewise the other three
 * @param option number of a TCP option that must be present, 0 for none
 * @param flagMask the TCP flags that are checked
 * @param flagCompare those of them that must be set
 * @param inverted {@code XT_TCP_INV_*}: 1 source ports, 2 destination ports, 4 flags, 8 option
 */
public record XtTcp(
        int sourceMin,
        int sourceMax,
        int destinationMin,
        int destinationMax,
        int option,
        int flagMask,
        int flagCompare,
        int inverted)
        implements XtMatch {
    /** {@code -m tcp}: every TCP packet. */
    public static final XtTcp ANY = new XtTcp(0, XtPorts.MAX, 0, XtPorts.MAX, 0, 0, 0, 0);

    /** {@code --dport}. */
    public static XtTcp toPort(int port) {
        return new XtTcp(0, XtPorts.MAX, port, port, 0, 0, 0, 0);
    }

    static XtTcp read(NlReader reader) throws DecodeException {
        return new XtTcp(
                reader.u16(),
                reader.u16(),
                reader.u16(),
                reader.u16(),
                reader.u8(),
                reader.u8(),
                reader.u8(),
                reader.u8());
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u16(sourceMin);
        writer.u16(sourceMax);
        writer.u16(destinationMin);
        writer.u16(destinationMax);
        writer.u8(option);
        writer.u8(flagMask);
        writer.u8(flagCompare);
        writer.u8(inverted);
    }

    @Override
    public String toString() {
        return "-m tcp" + XtPorts.text("sport", sourceMin, sourceMax, (inverted & 1) != 0)
                + XtPorts.text("dport", destinationMin, destinationMax, (inverted & 2) != 0);
    }
}
