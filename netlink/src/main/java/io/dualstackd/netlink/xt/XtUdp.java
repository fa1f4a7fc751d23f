package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Matches ports of UDP ({@code struct xt_udp}).
 *
 * @param sourceMin lowest source port, 0 to 65535; likewise the other three
 * @param inverted {@code XT_UDP_INV_*}: 1 source ports, 2 destination ports
 */
public record XtUdp(int sourceMin, int sourceMax, int destinationMin, int destinationMax, int inverted)
        implements XtMatch {
    /** {@code -m udp}: every UDP packet. */
    public static final XtUdp ANY = new XtUdp(0, XtPorts.MAX, 0, XtPorts.MAX, 0);

    /** {@code --dport}. */
    public static XtUdp toPort(int port) {
        return new XtUdp(0, XtPorts.MAX, port, port, 0);
    }

    static XtUdp read(NlReader reader) throws DecodeException {
        return new XtUdp(reader.u16(), reader.u16(), reader.u16(), reader.u16(), reader.u8());
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u16(sourceMin);
        writer.u16(sourceMax);
        writer.u16(destinationMin);
        writer.u16(destinationMax);
        writer.u8(inverted);
        writer.zeros(1);
    }

    @Override
    public String toString() {
        return "-m udp" + XtPorts.text("sport", sourceMin, sourceMax, (inverted & 1) != 0)
                + XtPorts.text("dport", destinationMin, destinationMax, (inverted & 2) != 0);
    }
}
