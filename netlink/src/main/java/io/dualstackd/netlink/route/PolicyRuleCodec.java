package io.dualstackd.netlink.route;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/** Bodies of {@code RTM_NEWRULE} and {@code RTM_GETRULE}, of which only what they ask for is read: the mark, and where a packet comes from. */
public final class PolicyRuleCodec {
    /** Bytes of {@code struct fib_rule_hdr}. */
    private static final int HEADER = 12;

    /** Bytes before {@code src_len}. */
    private static final int BEFORE_SOURCE = 2;

    private static final Attr.Text IN = new Attr.Text(3, "FRA_IIFNAME");
    private static final Attr.U32 MARK = new Attr.U32(10, "FRA_FWMARK");
    private static final Attr.U32 MASK = new Attr.U32(16, "FRA_FWMASK");
    private static final AttrTable TABLE = AttrTable.of("FRA", IN, MARK, MASK);

    private PolicyRuleCodec() {}

    /** The bits of the mark that the rule asks for; 0 for one that asks for none. */
    public static int readMarkMask(NlReader reader) throws DecodeException {
        reader.skip(HEADER);
        Attrs attrs = reader.attrs(TABLE);
        return attrs.has(MASK) ? attrs.get(MASK) : attrs.has(MARK) ? -1 : 0;
    }

    /** Whether the rule asks for the source of a packet that comes in, or for its interface. */
    public static boolean readAsksForSource(NlReader reader) throws DecodeException {
        reader.skip(BEFORE_SOURCE);
        int sourceLength = reader.u8();
        reader.skip(HEADER - BEFORE_SOURCE - 1);
        Attrs attrs = reader.attrs(TABLE);
        // What this host sends itself counts as coming in through lo.
        return sourceLength > 0 || (attrs.has(IN) && !attrs.get(IN).equals("lo"));
    }

    /** Requests all rules of a family. */
    public static void writeListAll(NlWriter writer, IpFamily family) {
        writer.u8(family.number());
        writer.zeros(HEADER - 1);
    }
}
