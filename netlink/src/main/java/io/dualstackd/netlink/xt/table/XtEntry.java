package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rule in the format of the table: its bytes, and the name of the target chain where the bytes hold an offset. A view into the array it
 * was found in, which must not be changed.
 */
public final class XtEntry {
    /** {@link #to} of a rule without target: its offset is that of the next rule. */
    private static final String NEXT = "";

    private final EntryLayout layout;
    private final byte[] home;
    private final int at;
    final int length;
    private final @Nullable String to;

    private XtEntry(EntryLayout layout, byte[] home, int at, int length, @Nullable String to) {
        this.layout = layout;
        this.home = home;
        this.at = at;
        this.length = length;
        this.to = to;
    }

    /** Returns an entry that contains no offset. */
    static XtEntry plain(EntryLayout layout, byte[] home, int at, int length) {
        return new XtEntry(layout, home, at, length, null);
    }

    static XtEntry leadingTo(EntryLayout layout, byte[] home, int at, int length, String chain) {
        return new XtEntry(layout, home, at, length, chain);
    }

    static XtEntry goingOn(EntryLayout layout, byte[] home, int at, int length) {
        return new XtEntry(layout, home, at, length, NEXT);
    }

    /** The target chain of a jump or goto. */
    public Optional<String> leadsTo() {
        return to == null || to.isEmpty() ? Optional.empty() : Optional.of(to);
    }

    /** As {@link #leadsTo}, for the hot path. */
    @Nullable
    String chain() {
        return to == null || to.isEmpty() ? null : to;
    }

    boolean goesOn() {
        return to != null && to.isEmpty();
    }

    /** Its offset in the table that it is a view into; -1 for any other table. */
    @SuppressWarnings("ReferenceEquality") // A view is into this very array, not into an equal one.
    int placeIn(TableBlob blob) {
        return home == blob.entries() ? at : -1;
    }

    private int target() {
        return at + EntryLayout.u16(home, at + layout.targetOffset());
    }

    /** Offset of the verdict, which holds the offset of a jump. */
    int verdict() {
        return target() - at + EntryLayout.EXTENSION_HEADER;
    }

    /** The matches in order. */
    public List<XtMatch> matches() {
        List<XtMatch> matches = new ArrayList<>();
        int end = target();
        for (int match = at + layout.header(); match < end; match += EntryLayout.u16(home, match)) {
            matches.add(XtMatch.read(name(match), home[match + EntryLayout.REVISION_AT] & 0xff, payload(match)));
        }
        return matches;
    }

    /** The target, if it is an extension; empty for verdicts and jumps. */
    public Optional<XtTarget> target(IpFamily family) {
        int target = target();
        String name = name(target);
        return name.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        XtTarget.read(name, home[target + EntryLayout.REVISION_AT] & 0xff, payload(target), family));
    }

    /** Whether every packet that reaches this rule matches it: it has no address, interface or protocol, and no match. */
    public boolean isUnconditional() {
        for (int i = 0; i < layout.nfcache(); i++) {
            if (home[at + i] != 0) {
                return false;
            }
        }
        return target() == at + layout.header();
    }

    /** Whether its target is the extension of that name. */
    public boolean hasTarget(String name) {
        return name(target()).equals(name);
    }

    /** The destination address, without what its mask leaves open; empty when there is none or it is negated. */
    public Optional<Ip> destination() {
        int mask = at + layout.masks() + layout.address();
        byte[] address = new byte[layout.address()];
        boolean any = true;
        for (int i = 0; i < address.length; i++) {
            address[i] = (byte) (home[at + layout.address() + i] & home[mask + i]);
            any &= home[mask + i] == 0;
        }
        return any || (home[at + layout.inverse()] & EntryDraft.NOT_DESTINATION) != 0
                ? Optional.empty()
                : Optional.of(Ip.ofBytes(address));
    }

    /** The protocol; empty when the rule is for every one. */
    public Optional<Proto> protocol() {
        int number = EntryLayout.u16(home, at + layout.protocol());
        return number == 0 ? Optional.empty() : Optional.of(new Proto(number));
    }

    /** Packets that matched, when the table was read. */
    public long packets() {
        return EntryLayout.u64(home, at + layout.counters());
    }

    /** Bytes of these packets. */
    public long bytes() {
        return EntryLayout.u64(home, at + layout.counters() + Long.BYTES);
    }

    private Bytes payload(int extension) {
        return Bytes.of(home, extension + EntryLayout.EXTENSION_HEADER, extension + EntryLayout.u16(home, extension));
    }

    private String name(int extension) {
        return text(home, extension + EntryLayout.NAME_AT, EntryLayout.NAME_SIZE);
    }

    static String text(byte[] bytes, int from, int size) {
        int length = 0;
        while (length < size && bytes[from + length] != 0) {
            length++;
        }
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    /** Receives the content of an entry, eight bytes at a time. */
    @FunctionalInterface
    public interface Words {
        void word(long word);
    }

    /**
     * Passes the content of the entry to {@code to}, without its counters, fields private to the kernel and the offset of its jump, which
     * is replaced by the name of the chain. Equal rules give equal words, wherever they are.
     */
    public void tell(Words to) {
        for (int word = 0; word < layout.nfcache() - 7; word += Long.BYTES) {
            to.word(EntryLayout.u64(home, at + word));
        }
        // The rest of the header in one word: the fields in between, and both offsets.
        int between = layout.nfcache() % Long.BYTES == 0 ? 0 : EntryLayout.s32(home, at + layout.nfcache() - 4);
        to.word(((long) between << 32) | (EntryLayout.s32(home, at + layout.targetOffset()) & 0xffffffffL));
        int skipped = this.to == null ? -1 : verdict();
        for (int word = layout.header(); word < length; word += Long.BYTES) {
            if (word != skipped) {
                to.word(EntryLayout.u64(home, at + word));
            }
        }
        if (this.to != null) {
            to.word(this.to.length());
            for (int i = 0; i < this.to.length(); i++) {
                to.word(this.to.charAt(i));
            }
        }
    }

    /** Writes it to a new table; the offset of its jump is still that of the table it was found in. */
    int copyTo(byte[] target, int offset) {
        System.arraycopy(home, at, target, offset, length);
        return offset + length;
    }

    /** Whether all bytes are the same, including counters; instead of the offset of a jump, the chain is compared. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof XtEntry that)
                || layout != that.layout
                || length != that.length
                || !Objects.equals(to, that.to)) {
            return false;
        }
        int end = to == null ? length : verdict();
        int after = to == null ? length : end + 4;
        return Arrays.equals(home, at, at + end, that.home, that.at, that.at + end)
                && Arrays.equals(home, at + after, at + length, that.home, that.at + after, that.at + length);
    }

    @Override
    public int hashCode() {
        int hash = length;
        for (int i = 0; i < layout.nfcache(); i++) {
            hash = hash * 31 + home[at + i];
        }
        return hash;
    }

    /** {@code 152 bytes to KUBE-SVC-…}, with its matches. */
    @Override
    public String toString() {
        return length + " bytes " + matches() + (to == null ? "" : to.isEmpty() ? " on" : " to " + to);
    }
}
