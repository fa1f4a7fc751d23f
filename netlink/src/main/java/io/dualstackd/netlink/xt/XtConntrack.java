package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.StringJoiner;

/**
 * Matches the state of the packet's connection ({@code struct xt_conntrack_mtinfo3}, of which only the states are used).
 *
 * @param states see the constants
 * @param inverted true for {@code ! --ctstate}
 */
public record XtConntrack(int states, boolean inverted) implements XtMatch {
    public static final int INVALID = 1;
    public static final int ESTABLISHED = 1 << 1;
    public static final int RELATED = 1 << 2;
    public static final int NEW = 1 << 3;
    public static final int SNAT = 1 << 6;
    public static final int DNAT = 1 << 7;
    public static final int UNTRACKED = 1 << 8;

    private static final String[] NAMES = {
        "INVALID", "ESTABLISHED", "RELATED", "NEW", "0x10", "0x20", "SNAT", "DNAT", "UNTRACKED"
    };

    /** {@code XT_CONNTRACK_STATE}: of all conditions in the structure, only the state is checked. */
    private static final int MATCH_STATE = 1;

    private static final int STATES_AT = 150;

    static XtConntrack read(NlReader reader) throws DecodeException {
        reader.skip(STATES_AT - 4);
        reader.skip(2);
        boolean inverted = reader.u16() != 0;
        return new XtConntrack(reader.u16(), inverted);
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.zeros(STATES_AT - 4);
        writer.u16(MATCH_STATE);
        writer.u16(inverted ? MATCH_STATE : 0);
        writer.u16(states);
        writer.zeros(XtStruct.CONNTRACK.size() - STATES_AT - 2);
    }

    @Override
    public String toString() {
        StringJoiner names = new StringJoiner(",");
        for (int i = 0; i < NAMES.length; i++) {
            if ((states & 1 << i) != 0) {
                names.add(NAMES[i]);
            }
        }
        return "-m conntrack" + (inverted ? " !" : "") + " --ctstate " + names;
    }
}
