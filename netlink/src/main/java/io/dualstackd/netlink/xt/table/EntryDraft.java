package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtStruct;
import io.dualstackd.netlink.xt.XtTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds one entry, byte for byte as {@code iptables-legacy} does. Conditions in any order, matches in their order, then one target. */
public final class EntryDraft {
    // IPT_INV_* and IP6T_INV_*
    private static final int NOT_IN_INTERFACE = 0x01;
    private static final int NOT_SOURCE = 0x08;
    static final int NOT_DESTINATION = 0x10;

    /** {@code IP6T_F_PROTO}: IPv6 has a flag for a protocol condition, since 0 is a protocol. */
    private static final int PROTOCOL_ASKED = 0x01;

    // A verdict is -1 - NF_*, and RETURN is one that no hook returns.
    private static final int DROP = -1;
    private static final int ACCEPT = -2;
    private static final int RETURN = -5;

    private final IpFamily family;
    private final EntryLayout layout;
    private final byte[] header;
    private final List<XtMatch> matches = new ArrayList<>(4);

    private EntryDraft(IpFamily family) {
        this.family = family;
        this.layout = EntryLayout.of(family);
        this.header = new byte[layout.header()];
    }

    /** Returns a draft without conditions. */
    public static EntryDraft of(IpFamily family) {
        return new EntryDraft(family);
    }

    public EntryDraft source(IpPrefix prefix, boolean negated) {
        address(0, prefix);
        return inverse(NOT_SOURCE, negated);
    }

    public EntryDraft destination(IpPrefix prefix, boolean negated) {
        address(layout.address(), prefix);
        return inverse(NOT_DESTINATION, negated);
    }

    private void address(int at, IpPrefix prefix) {
        if (prefix.family() != family) {
            throw new IllegalArgumentException(prefix + " in a rule of " + family);
        }
        Bytes.of(prefix.address()).copyTo(header, at);
        Bytes.of(prefix.netmask()).copyTo(header, layout.masks() + at);
    }

    /** @param prefix all interfaces whose names begin with {@code name} */
    public EntryDraft in(String name, boolean prefix, boolean negated) {
        byte[] ascii = (prefix ? name + "+" : name).getBytes(StandardCharsets.US_ASCII);
        if (ascii.length >= EntryLayout.INTERFACE) {
            throw new IllegalArgumentException("the name of an interface has at most 15 bytes: \"" + name + "\"");
        }
        int at = layout.interfaces();
        System.arraycopy(ascii, 0, header, at, ascii.length);
        // With its NUL the name must be equal, without it it is a prefix; the plus is kept, and ignored.
        int compared = prefix ? ascii.length - 1 : ascii.length + 1;
        Arrays.fill(header, at + 2 * EntryLayout.INTERFACE, at + 2 * EntryLayout.INTERFACE + compared, (byte) 0xff);
        return inverse(NOT_IN_INTERFACE, negated);
    }

    public EntryDraft protocol(Proto proto) {
        EntryLayout.SHORT.set(header, layout.protocol(), (short) proto.number());
        if (family == IpFamily.IPV6) {
            header[layout.flags()] |= PROTOCOL_ASKED;
        }
        return this;
    }

    /** Sets the counters with which the rule begins where it is new. */
    public EntryDraft counters(long packets, long bytes) {
        EntryLayout.LONG.set(header, layout.counters(), packets);
        EntryLayout.LONG.set(header, layout.counters() + Long.BYTES, bytes);
        return this;
    }

    private EntryDraft inverse(int bit, boolean negated) {
        if (negated) {
            header[layout.inverse()] |= (byte) bit;
        }
        return this;
    }

    public EntryDraft match(XtMatch match) {
        matches.add(match);
        return this;
    }

    public XtEntry accept() {
        return verdict(ACCEPT);
    }

    public XtEntry drop() {
        return verdict(DROP);
    }

    public XtEntry returning() {
        return verdict(RETURN);
    }

    private XtEntry verdict(int verdict) {
        byte[] entry = entry(EntryLayout.STANDARD_SIZE);
        EntryLayout.INT.set(entry, entry.length - EntryLayout.STANDARD_SIZE + EntryLayout.EXTENSION_HEADER, verdict);
        return XtEntry.plain(layout, entry, 0, entry.length);
    }

    /** Ends with a jump; {@code RETURN} in that chain returns here. */
    public XtEntry jump(String chain) {
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a chain has a name");
        }
        byte[] entry = entry(EntryLayout.STANDARD_SIZE);
        return XtEntry.leadingTo(layout, entry, 0, entry.length, chain);
    }

    /** Ends without a target: counts, and continues with the next rule. */
    public XtEntry count() {
        byte[] entry = entry(EntryLayout.STANDARD_SIZE);
        return XtEntry.goingOn(layout, entry, 0, entry.length);
    }

    public XtEntry target(XtTarget target) {
        byte[] entry = entry(EntryLayout.EXTENSION_HEADER + target.struct().alignedSize());
        extension(entry, EntryLayout.u16(entry, layout.targetOffset()), target.struct(), target.info());
        return XtEntry.plain(layout, entry, 0, entry.length);
    }

    /** The entry before a user-defined chain, which contains its name. */
    static XtEntry head(IpFamily family, String chain) {
        byte[] name = chain.getBytes(StandardCharsets.US_ASCII);
        if (name.length >= EntryLayout.ERROR_NAME_SIZE) {
            throw new IllegalArgumentException("the name of a chain has at most 29 bytes: \"" + chain + "\"");
        }
        EntryDraft draft = of(family);
        byte[] entry = draft.entry(EntryLayout.ERROR_SIZE);
        int target = draft.layout.header();
        byte[] kind = EntryLayout.ERROR.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(kind, 0, entry, target + EntryLayout.NAME_AT, kind.length);
        System.arraycopy(name, 0, entry, target + EntryLayout.EXTENSION_HEADER, name.length);
        return XtEntry.plain(draft.layout, entry, 0, entry.length);
    }

    /** Header and matches, and space for a target of that size whose header contains only the size. */
    private byte[] entry(int targetSize) {
        int length = header.length;
        for (XtMatch match : matches) {
            length += EntryLayout.EXTENSION_HEADER + match.struct().alignedSize();
        }
        byte[] entry = Arrays.copyOf(header, length + targetSize);
        int at = header.length;
        for (XtMatch match : matches) {
            EntryLayout.SHORT.set(entry, at, (short)
                    (EntryLayout.EXTENSION_HEADER + match.struct().alignedSize()));
            at = extension(entry, at, match.struct(), match.info());
        }
        EntryLayout.SHORT.set(entry, layout.targetOffset(), (short) length);
        EntryLayout.SHORT.set(entry, layout.nextOffset(), (short) entry.length);
        EntryLayout.SHORT.set(entry, length, (short) targetSize);
        return entry;
    }

    private static int extension(byte[] entry, int at, XtStruct struct, Bytes info) {
        byte[] name = struct.name().getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(name, 0, entry, at + EntryLayout.NAME_AT, name.length);
        entry[at + EntryLayout.REVISION_AT] = (byte) struct.revision();
        return info.copyTo(entry, at + EntryLayout.EXTENSION_HEADER);
    }
}
