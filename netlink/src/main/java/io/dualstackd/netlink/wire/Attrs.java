package io.dualstackd.netlink.wire;

import io.dualstackd.netlink.ip.Ip;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one nest or message body, located but not yet decoded: each getter decodes one attribute and checks its size against
 * the declaration. Where an attribute occurs twice, the last one counts, as in the kernel.
 */
public final class Attrs {
    private final AttrTable table;
    private final byte[] buffer;
    private final int base;
    /** The location of the attributes, for errors: a name for the outermost ones, else the nest {@code inside} of {@code parent}. */
    private final Object parent;

    private final @Nullable Attr inside;
    /** Start of the {@code struct nlattr} by number; -1 means absent. */
    private final int[] at;

    private List<RawAttr> unknown = List.of();

    private Attrs(AttrTable table, byte[] buffer, int base, Object parent, @Nullable Attr inside) {
        this.table = table;
        this.buffer = buffer;
        this.base = base;
        this.parent = parent;
        this.inside = inside;
        this.at = new int[table.size()];
        Arrays.fill(at, -1);
    }

    static Attrs read(AttrTable table, byte[] buffer, int base, int from, int end, String what) throws DecodeException {
        return new Attrs(table, buffer, base, what, null).scan(from, end);
    }

    private Attrs nested(AttrTable inner, Attr attr, int from, int end) throws DecodeException {
        return new Attrs(inner, buffer, from, this, attr).scan(from, end);
    }

    private Attrs scan(int from, int end) throws DecodeException {
        int next = from;
        while (end - next > 0) {
            int length = checkedLength(next, end);
            int type = (short) Nla.SHORT.get(buffer, next + 2) & 0xffff;
            int number = type & Nla.TYPE_MASK;
            if (table.find(number) != null) {
                at[number] = next;
            } else {
                keep(new RawAttr(type, Bytes.of(buffer, next + Nla.HEADER, next + length)));
            }
            next = Math.min(end, next + Nla.align(length));
        }
        return this;
    }

    /** The path to these attributes, built only when an error needs it: dumps contain millions of nests. */
    private String what() {
        return inside == null ? (String) parent : ((Attrs) parent).what() + "/" + inside.name();
    }

    private int checkedLength(int next, int end) throws DecodeException {
        if (end - next < Nla.HEADER) {
            throw DecodeException.at(what(), next - base, "want an attribute header of 4 bytes, got " + (end - next));
        }
        int length = (short) Nla.SHORT.get(buffer, next) & 0xffff;
        if (length < Nla.HEADER || length > end - next) {
            throw DecodeException.at(
                    what(),
                    next - base,
                    "attribute length " + length + " is not in 4.." + (end - next) + " of " + table.name());
        }
        return length;
    }

    private void keep(RawAttr attr) {
        if (unknown.isEmpty()) {
            unknown = new ArrayList<>();
        }
        unknown.add(attr);
    }

    public boolean has(Attr attr) {
        return at[attr.number()] >= 0;
    }

    /** Attributes the table does not declare, in their order. */
    public List<RawAttr> unknown() {
        return List.copyOf(unknown);
    }

    public int get(Attr.U8 attr) throws DecodeException {
        return buffer[sized(attr, 1)] & 0xff;
    }

    public int get(Attr.U16 attr) throws DecodeException {
        return (short) Nla.SHORT.get(buffer, sized(attr, 2)) & 0xffff;
    }

    public int get(Attr.U16be attr) throws DecodeException {
        return (short) Nla.SHORT_BE.get(buffer, sized(attr, 2)) & 0xffff;
    }

    public int get(Attr.U32 attr) throws DecodeException {
        return (int) Nla.INT.get(buffer, sized(attr, 4));
    }

    public int get(Attr.U32be attr) throws DecodeException {
        return (int) Nla.INT_BE.get(buffer, sized(attr, 4));
    }

    public long get(Attr.U64 attr) throws DecodeException {
        return (long) Nla.LONG.get(buffer, sized(attr, 8));
    }

    public long get(Attr.U64be attr) throws DecodeException {
        return (long) Nla.LONG_BE.get(buffer, sized(attr, 8));
    }

    public int get(Attr.U8 attr, int absent) throws DecodeException {
        return has(attr) ? get(attr) : absent;
    }

    public int get(Attr.U16be attr, int absent) throws DecodeException {
        return has(attr) ? get(attr) : absent;
    }

    public int get(Attr.U32 attr, int absent) throws DecodeException {
        return has(attr) ? get(attr) : absent;
    }

    public int get(Attr.U32be attr, int absent) throws DecodeException {
        return has(attr) ? get(attr) : absent;
    }

    public long get(Attr.U64be attr, long absent) throws DecodeException {
        return has(attr) ? get(attr) : absent;
    }

    public String get(Attr.Text attr) throws DecodeException {
        int from = payload(attr);
        int to = from + size(attr);
        int end = from;
        while (end < to && buffer[end] != 0) {
            end++;
        }
        return new String(buffer, from, end - from, StandardCharsets.UTF_8);
    }

    public String get(Attr.Text attr, String absent) throws DecodeException {
        return has(attr) ? get(attr) : absent;
    }

    public Ip get(Attr.Address attr) throws DecodeException {
        int from = payload(attr);
        int size = size(attr);
        if (size != 4 && size != 16) {
            throw error(attr, "want 4 or 16 bytes, got " + size);
        }
        return Ip.ofBytes(Arrays.copyOfRange(buffer, from, from + size));
    }

    public Optional<Ip> find(Attr.Address attr) throws DecodeException {
        return has(attr) ? Optional.of(get(attr)) : Optional.empty();
    }

    public Bytes get(Attr.Payload attr) throws DecodeException {
        int from = payload(attr);
        return Bytes.of(buffer, from, from + size(attr));
    }

    public Bytes get(Attr.Payload attr, Bytes absent) throws DecodeException {
        return has(attr) ? get(attr) : absent;
    }

    /** Returns a reader of the payload. */
    public NlReader reader(Attr.Payload attr) throws DecodeException {
        int from = payload(attr);
        return new NlReader(buffer, from, size(attr), what() + "/" + attr.name());
    }

    /** Returns the attributes inside a nest. */
    public Attrs get(Attr.Nest attr) throws DecodeException {
        int from = payload(attr);
        return nested(attr.table(), attr, from, from + size(attr));
    }

    /** Returns the attributes of a payload whose nesting depends on a sibling, by the table {@code inner}. */
    public Attrs get(Attr.Payload attr, AttrTable inner) throws DecodeException {
        int from = payload(attr);
        return nested(inner, attr, from, from + size(attr));
    }

    /** Returns the elements of a list in order; the numbers of the elements are ignored. */
    public List<Attrs> get(Attr.ListOf attr) throws DecodeException {
        int next = payload(attr);
        int end = next + size(attr);
        List<Attrs> elements = new ArrayList<>();
        while (end - next > 0) {
            int length = checkedLength(next, end);
            int from = next + Nla.HEADER;
            elements.add(nested(attr.table(), attr, from, next + length));
            next = Math.min(end, next + Nla.align(length));
        }
        return elements;
    }

    private int sized(Attr attr, int want) throws DecodeException {
        int from = payload(attr);
        if (size(attr) != want) {
            throw error(attr, "want " + want + " bytes, got " + size(attr));
        }
        return from;
    }

    private int payload(Attr attr) throws DecodeException {
        int header = at[attr.number()];
        if (header < 0) {
            throw new DecodeException(what() + ": " + attr.name() + " is missing");
        }
        return header + Nla.HEADER;
    }

    private int size(Attr attr) {
        return ((short) Nla.SHORT.get(buffer, at[attr.number()]) & 0xffff) - Nla.HEADER;
    }

    private DecodeException error(Attr attr, String problem) {
        return DecodeException.at(what(), at[attr.number()] - base, attr.name() + ": " + problem);
    }
}
