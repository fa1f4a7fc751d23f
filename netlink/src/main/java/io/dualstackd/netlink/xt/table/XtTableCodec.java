package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.wire.DecodeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Blobs to tables and back. Its work is that of the whole table, as everything here. */
public final class XtTableCodec {
    private XtTableCodec() {}

    /**
     * A table ready to be sent.
     *
     * @param origins for each entry the offset where the predecessor has it, whose count it goes on with, or -1
     */
    public record Replacement(TableBlob blob, int[] origins) {}

    /** A jump to a chain that is not there. */
    public static final class NoSuchChain extends Exception {
        private static final long serialVersionUID = 1;
        private final String from;
        private final String to;

        NoSuchChain(String from, String to) {
            super("a rule in " + from + " leads to " + to + ", which is not there");
            this.from = from;
            this.to = to;
        }

        /** The chain the rule stands in. */
        public String from() {
            return from;
        }

        /** The chain it leads to. */
        public String to() {
            return to;
        }
    }

    /** @throws DecodeException when the blob is not built as iptables builds them */
    public static XtTable decode(TableBlob blob) throws DecodeException {
        return new Decoding(blob).table();
    }

    /** One decoding: the boundaries first, since a jump may lead forward. */
    private static final class Decoding {
        private final TableBlob blob;
        private final EntryLayout layout;
        private final byte[] bytes;
        private final Map<Integer, String> starts = new HashMap<>();
        private final List<XtChain> chains = new ArrayList<>();

        private String name = "";
        private int hook = XtChain.OF_USER;
        private List<XtEntry> head = List.of();
        private List<XtEntry> rules = new ArrayList<>();

        Decoding(TableBlob blob) {
            this.blob = blob;
            this.layout = EntryLayout.of(blob.family());
            this.bytes = blob.entries();
        }

        XtTable table() throws DecodeException {
            findStarts();
            int last = bytes.length;
            boolean any = false;
            for (int at = 0; at < bytes.length; at += next(at)) {
                OptionalInt ofHook = hookAt(at);
                boolean heads = isError(at);
                if (any && (ofHook.isPresent() || heads)) {
                    endChain(at);
                }
                if (ofHook.isPresent()) {
                    begin(XtTable.hookName(ofHook.getAsInt()), ofHook.getAsInt(), List.of());
                } else if (heads) {
                    if (at + next(at) == bytes.length) {
                        last = at;
                        break;
                    }
                    begin(errorName(at), XtChain.OF_USER, List.of(XtEntry.plain(layout, bytes, at, next(at))));
                }
                if (!heads) {
                    rules.add(entry(at));
                }
                any = true;
            }
            if (last == bytes.length) {
                throw wrong(last, "no entry that ends the table");
            }
            return new XtTable(
                    blob.family(), blob.name(), blob.validHooks(), chains, XtEntry.plain(layout, bytes, last, next(last)));
        }

        private void begin(String chain, int ofHook, List<XtEntry> headed) {
            name = chain;
            hook = ofHook;
            head = headed;
            rules = new ArrayList<>();
        }

        private void endChain(int at) throws DecodeException {
            if (rules.isEmpty()) {
                throw wrong(at, "chain \"" + name + "\" has no end");
            }
            if (name.isEmpty()) {
                throw wrong(at, "rules in no chain");
            }
            XtEntry end = rules.removeLast();
            chains.add(new XtChain(name, hook, head, rules, end));
        }

        private void findStarts() throws DecodeException {
            int count = 0;
            for (int at = 0; at < bytes.length; at += next(at)) {
                check(at);
                if (isError(at)) {
                    starts.put(at + next(at), errorName(at));
                }
                count++;
            }
            if (count != blob.count()) {
                throw wrong(bytes.length, count + " entries where " + blob.count() + " were said");
            }
        }

        private void check(int at) throws DecodeException {
            if (at + layout.header() > bytes.length) {
                throw wrong(at, "an entry is cut");
            }
            int target = EntryLayout.u16(bytes, at + layout.targetOffset());
            int next = next(at);
            if (target < layout.header() || target + EntryLayout.EXTENSION_HEADER > next || next > bytes.length - at) {
                throw wrong(at, "an entry of " + next + " bytes with its target at " + target);
            }
            int match = layout.header();
            while (match < target) {
                int size = match + EntryLayout.EXTENSION_HEADER > target ? 0 : EntryLayout.u16(bytes, at + match);
                if (size < EntryLayout.EXTENSION_HEADER || size > target - match) {
                    throw wrong(at + match, "a match of " + size + " bytes");
                }
                match += size;
            }
            int size = EntryLayout.u16(bytes, at + target);
            if (size < EntryLayout.EXTENSION_HEADER || size > next - target) {
                throw wrong(at + target, "a target of " + size + " bytes");
            }
            boolean standard = bytes[at + target + EntryLayout.NAME_AT] == 0;
            if ((standard && size < EntryLayout.STANDARD_SIZE) || (isError(at) && size < EntryLayout.ERROR_SIZE)) {
                throw wrong(at + target, "a target of " + size + " bytes");
            }
        }

        private XtEntry entry(int at) throws DecodeException {
            int target = at + EntryLayout.u16(bytes, at + layout.targetOffset());
            int length = next(at);
            if (bytes[target + EntryLayout.NAME_AT] != 0) {
                return XtEntry.plain(layout, bytes, at, length);
            }
            int verdict = EntryLayout.s32(bytes, target + EntryLayout.EXTENSION_HEADER);
            if (verdict < 0) {
                return XtEntry.plain(layout, bytes, at, length);
            }
            if (verdict == at + length) {
                return XtEntry.goingOn(layout, bytes, at, length);
            }
            String chain = starts.get(verdict);
            if (chain == null) {
                throw wrong(at, "a jump to offset " + verdict + ", where no chain begins");
            }
            return XtEntry.leadingTo(layout, bytes, at, length, chain);
        }

        private int next(int at) throws DecodeException {
            if (at + layout.header() > bytes.length) {
                throw wrong(at, "an entry is cut");
            }
            int next = EntryLayout.u16(bytes, at + layout.nextOffset());
            if (next < layout.header()) {
                throw wrong(at, "an entry of " + next + " bytes");
            }
            return next;
        }

        private boolean isError(int at) {
            int target = at + EntryLayout.u16(bytes, at + layout.targetOffset());
            return bytes[target + EntryLayout.NAME_AT] == 'E'
                    && XtEntry.text(bytes, target + EntryLayout.NAME_AT, EntryLayout.NAME_SIZE)
                            .equals(EntryLayout.ERROR);
        }

        private String errorName(int at) {
            int target = at + EntryLayout.u16(bytes, at + layout.targetOffset());
            return XtEntry.text(bytes, target + EntryLayout.EXTENSION_HEADER, EntryLayout.ERROR_NAME_SIZE);
        }

        private OptionalInt hookAt(int at) {
            for (int h = 0; h < TableBlob.HOOKS; h++) {
                if (blob.hasHook(h) && blob.hookEntry(h) == at) {
                    return OptionalInt.of(h);
                }
            }
            return OptionalInt.empty();
        }

        private DecodeException wrong(int at, String problem) {
            return new DecodeException(blob + ": " + problem + ", at offset " + at);
        }
    }

    /**
     * @param predecessor what the kernel has now, into which the unchanged entries of {@code table} are views
     * @throws NoSuchChain when a rule leads nowhere
     */
    public static Replacement encode(XtTable table, TableBlob predecessor) throws NoSuchChain {
        int size = table.tail().length;
        int count = 1;
        for (XtChain chain : table.chains()) {
            count += chain.head().size() + chain.rules().size() + 1;
            for (XtEntry head : chain.head()) {
                size += head.length;
            }
            for (XtEntry rule : chain.rules()) {
                size += rule.length;
            }
            size += chain.end().length;
        }
        byte[] into = new byte[size];
        int[] origins = new int[count];
        int[] hookEntries = new int[TableBlob.HOOKS];
        int[] underflows = new int[TableBlob.HOOKS];
        Map<String, Integer> starts = new HashMap<>(table.chains().size() * 2);
        byte[] old = predecessor.entries();
        int at = 0;
        int index = 0;
        for (XtChain chain : table.chains()) {
            for (XtEntry head : chain.head()) {
                origins[index++] = head.home == old ? head.at : -1;
                at = head.copyTo(into, at);
            }
            if (chain.isBuiltIn()) {
                hookEntries[chain.hook()] = at;
            } else {
                starts.put(chain.name(), at);
            }
            for (XtEntry rule : chain.rules()) {
                origins[index++] = rule.home == old ? rule.at : -1;
                at = rule.copyTo(into, at);
            }
            if (chain.isBuiltIn()) {
                underflows[chain.hook()] = at;
            }
            origins[index++] = chain.end().home == old ? chain.end().at : -1;
            at = chain.end().copyTo(into, at);
        }
        origins[index] = table.tail().home == old ? table.tail().at : -1;
        table.tail().copyTo(into, at);
        relocate(table, into, starts);
        return new Replacement(
                new TableBlob(table.family(), table.name(), table.validHooks(), hookEntries, underflows, count, into),
                origins);
    }

    private static void relocate(XtTable table, byte[] into, Map<String, Integer> starts) throws NoSuchChain {
        int at = 0;
        for (XtChain chain : table.chains()) {
            for (XtEntry head : chain.head()) {
                at += head.length;
            }
            for (XtEntry rule : chain.rules()) {
                String to = rule.chain();
                if (to != null) {
                    Integer start = starts.get(to);
                    if (start == null) {
                        throw new NoSuchChain(chain.name(), to);
                    }
                    EntryLayout.INT.set(into, at + rule.verdict(), (int) start);
                } else if (rule.goesOn()) {
                    EntryLayout.INT.set(into, at + rule.verdict(), at + rule.length);
                }
                at += rule.length;
            }
            at += chain.end().length;
        }
    }

    /** What puts the predecessor back, with what has been counted meanwhile. */
    public static Replacement undo(Replacement done, TableBlob predecessor) {
        Map<Integer, Integer> laterAt = new HashMap<>();
        int at = 0;
        for (int origin : done.origins()) {
            if (origin >= 0) {
                laterAt.put(origin, at);
            }
            at = after(done.blob(), at);
        }
        int[] origins = new int[predecessor.count()];
        at = 0;
        for (int i = 0; i < origins.length; i++) {
            origins[i] = laterAt.getOrDefault(at, -1);
            at = after(predecessor, at);
        }
        return new Replacement(predecessor, origins);
    }

    private static int after(TableBlob blob, int at) {
        return at + EntryLayout.u16(blob.entries(), at + EntryLayout.of(blob.family()).nextOffset());
    }

    /** The counters of the new table's entries, packets and bytes by turns, from those of the predecessor's entries in order. */
    public static long[] counted(Replacement replacement, TableBlob predecessor, long[] old) {
        int[] indexes = new int[predecessor.size() / Long.BYTES + 1];
        Arrays.fill(indexes, -1);
        int offset = 0;
        for (int i = 0; i < predecessor.count(); i++) {
            indexes[offset / Long.BYTES] = i;
            offset = after(predecessor, offset);
        }
        long[] counted = new long[2 * replacement.origins().length];
        for (int i = 0; i < replacement.origins().length; i++) {
            int origin = replacement.origins()[i];
            if (origin >= 0) {
                int from = indexes[origin / Long.BYTES];
                counted[2 * i] = old[2 * from];
                counted[2 * i + 1] = old[2 * from + 1];
            }
        }
        return counted;
    }
}
