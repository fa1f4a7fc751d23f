package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Matches ports of SCTP ({@code struct xt_sctp_info}, of which the chunk types are not used).
 *
 * @param destinationMin lowest destination port, 0 to 65535; likewise the other three
 * @param flags the conditions: {@link #SOURCE_PORTS}, {@link #DESTINATION_PORTS}; ports without a condition must be 0 above
 * @param inverted the conditions of {@code flags} that are inverted
 */
public record XtSctp(int destinationMin, int destinationMax, int sourceMin, int sourceMax, int flags, int inverted)
        implements XtMatch {
    public static final int SOURCE_PORTS = 1;
    public static final int DESTINATION_PORTS = 2;
    /** {@code -m sctp}: every SCTP packet. */
    public static final XtSctp ANY = new XtSctp(0, 0, 0, 0, 0, 0);

    /** One bit for each of 256 chunk types, in {@code u32[256 / sizeof(u32)]}: eight times as long as necessary. */
    private static final int CHUNK_MAP = 256;

    private static final int CHUNK_FLAGS = 4;
    private static final int CHUNK_FLAG = 3;
    /** The value that iptables writes without a condition on chunk types. */
    private static final int NO_CHUNK = 0xff;

    /** {@code --dport}. */
    public static XtSctp toPort(int port) {
        return new XtSctp(port, port, 0, 0, DESTINATION_PORTS, 0);
    }

    static XtSctp read(NlReader reader) throws DecodeException {
        int destinationMin = reader.u16();
        int destinationMax = reader.u16();
        int sourceMin = reader.u16();
        int sourceMax = reader.u16();
        reader.skip(CHUNK_MAP + CHUNK_FLAGS * CHUNK_FLAG + 8);
        return new XtSctp(destinationMin, destinationMax, sourceMin, sourceMax, reader.u32(), reader.u32());
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u16(destinationMin);
        writer.u16(destinationMax);
        writer.u16(sourceMin);
        writer.u16(sourceMax);
        writer.zeros(CHUNK_MAP);
        writer.u32(0);
        for (int i = 0; i < CHUNK_FLAGS; i++) {
            writer.u8(NO_CHUNK);
            writer.zeros(CHUNK_FLAG - 1);
        }
        writer.u32(0);
        writer.u32(flags);
        writer.u32(inverted);
    }

    @Override
    public String toString() {
        return "-m sctp"
                + ((flags & SOURCE_PORTS) == 0
                        ? ""
                        : XtPorts.text("sport", sourceMin, sourceMax, (inverted & SOURCE_PORTS) != 0))
                + ((flags & DESTINATION_PORTS) == 0
                        ? ""
                        : XtPorts.text("dport", destinationMin, destinationMax, (inverted & DESTINATION_PORTS) != 0));
    }
}
