package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Matches by a list of recently seen addresses ({@code struct xt_recent_mtinfo_v1}).
 *
 * @param seconds at most this long ago, 0 for any time
 * @param hits at least this often, 0 for once
 * @param flags {@link #CHECK}, {@link #SET}, {@link #UPDATE}, {@link #REMOVE}, with {@link #TTL} and {@link #REAP}
 * @param list the list's name, shorter than 200 bytes
 * @param destination true to use the destination, false for the source
 * @param mask 16 bytes, of which IPv4 uses the first four
 */
public record XtRecent(int seconds, int hits, int flags, boolean inverted, String list, boolean destination, Bytes mask)
        implements XtMatch {
    public static final int CHECK = 1;
    public static final int SET = 1 << 1;
    public static final int UPDATE = 1 << 2;
    public static final int REMOVE = 1 << 3;
    public static final int TTL = 1 << 4;
    public static final int REAP = 1 << 5;
    /** A mask for the whole address. */
    public static final Bytes WHOLE_ADDRESS = Bytes.ofHex("ff".repeat(16));

    private static final int NAME_SIZE = 200;
    private static final int MASK_PADDING = 1;
    private static final int MASK_SIZE = 16;

    /** {@code --set}: puts the source on the list; always matches. */
    public static XtRecent set(String list) {
        return new XtRecent(0, 0, SET, false, list, false, WHOLE_ADDRESS);
    }

    /** {@code --rcheck --seconds … --reap}: the source was added to the list within that time; older entries are removed. */
    public static XtRecent seenWithin(String list, int seconds) {
        return new XtRecent(seconds, 0, CHECK | REAP, false, list, false, WHOLE_ADDRESS);
    }

    static XtRecent read(NlReader reader) throws DecodeException {
        int seconds = reader.u32();
        int hits = reader.u32();
        int flags = reader.u8();
        boolean inverted = reader.u8() != 0;
        String list = XtText.read(reader, NAME_SIZE);
        boolean destination = reader.u8() != 0;
        reader.skip(MASK_PADDING);
        return new XtRecent(seconds, hits, flags, inverted, list, destination, reader.bytes(MASK_SIZE));
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.u32(seconds);
        writer.u32(hits);
        writer.u8(flags);
        writer.u8(inverted ? 1 : 0);
        writer.fixedText(list, NAME_SIZE);
        writer.u8(destination ? 1 : 0);
        writer.zeros(MASK_PADDING);
        writer.bytes(mask);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("-m recent").append(inverted ? " !" : "");
        text.append((flags & SET) != 0 ? " --set" : (flags & CHECK) != 0 ? " --rcheck" : "");
        text.append((flags & UPDATE) != 0 ? " --update" : (flags & REMOVE) != 0 ? " --remove" : "");
        text.append(seconds == 0 ? "" : " --seconds " + seconds);
        text.append((flags & REAP) != 0 ? " --reap" : "").append((flags & TTL) != 0 ? " --rttl" : "");
        text.append(hits == 0 ? "" : " --hitcount " + hits).append(" --name ").append(list);
        return text.append(destination ? " --rdest" : " --rsource").toString();
    }
}
