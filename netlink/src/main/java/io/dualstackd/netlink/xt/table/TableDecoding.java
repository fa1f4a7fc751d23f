package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.wire.DecodeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Decodes one table: the boundaries of chains first, since a jump may lead forward. */
final class TableDecoding {
    private final TableBlob blob;
    private final EntryLayout layout;
    private final byte[] bytes;
    private final Map<Integer, String> starts = new HashMap<>();
    private final List<XtChain> chains = new ArrayList<>();

    private String name = "";
    private int hook = XtChain.OF_USER;
    private final Set<String> names = new HashSet<>();
    private List<XtEntry> head = List.of();
    private List<XtEntry> rules = new ArrayList<>();

    TableDecoding(TableBlob blob) {
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
        // A jump is represented by the name of its target chain.
        if (!names.add(name)) {
            throw wrong(at, "a second chain \"" + name + "\"");
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
            throw wrong(bytes.length, count + " entries where the table has " + blob.count());
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
