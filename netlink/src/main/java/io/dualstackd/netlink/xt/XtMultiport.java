package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Matches a list of ports and ranges ({@code struct xt_multiport_v1}).
 *
 * @param side 0 source, 1 destination, 2 either
 * @param ports at most 15; both ends of a range, one after the other
 * @param rangeStarts bit {@code i} is set when port {@code i} begins a range which port {@code i + 1} ends
 */
public record XtMultiport(int side, List<Integer> ports, int rangeStarts, boolean inverted) implements XtMatch {
    private static final int MAX = 15;

    public XtMultiport {
        ports = List.copyOf(ports);
        if (ports.size() > MAX) {
            throw new IllegalArgumentException("multiport holds at most 15 ports, got " + ports.size());
        }
    }

    static XtMultiport read(NlReader reader) throws DecodeException {
        int side = reader.u8();
        int count = Math.min(reader.u8(), MAX);
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < MAX; i++) {
            int port = reader.u16();
            if (i < count) {
                ports.add(port);
            }
        }
        int rangeStarts = 0;
        for (int i = 0; i < MAX; i++) {
            rangeStarts |= reader.u8() != 0 ? 1 << i : 0;
        }
        return new XtMultiport(side, ports, rangeStarts, reader.u8() != 0);
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u8(side);
        writer.u8(ports.size());
        for (int i = 0; i < MAX; i++) {
            writer.u16(i < ports.size() ? ports.get(i) : 0);
        }
        for (int i = 0; i < MAX; i++) {
            writer.u8(rangeStarts >>> i & 1);
        }
        writer.u8(inverted ? 1 : 0);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("-m multiport").append(inverted ? " !" : "");
        text.append(side == 0 ? " --sports " : side == 1 ? " --dports " : " --ports ");
        for (int i = 0; i < ports.size(); i++) {
            boolean inRange = i > 0 && (rangeStarts >>> (i - 1) & 1) != 0;
            text.append(i == 0 ? "" : inRange ? ":" : ",").append(ports.get(i));
        }
        return text.toString();
    }
}
