package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.netlink.wire.AttrCursor;
import java.util.ArrayList;
import java.util.List;

/** A cache of the names of expressions, so that the same dozen names do not become a million strings. */
final class SeenNames {
    /** Longer names are not cached, nor are names beyond the capacity. */
    private static final int LONGEST = 2 * Long.BYTES;

    private static final int MOST = 32;

    private final List<Seen> seen = new ArrayList<>();

    private record Seen(long first, long second, String name) {}

    /** The current attribute's text. */
    String of(AttrCursor cursor) {
        if (cursor.length() > LONGEST) {
            return cursor.text();
        }
        long first = cursor.word(0);
        long second = cursor.word(Long.BYTES);
        for (int i = 0; i < seen.size(); i++) {
            Seen known = seen.get(i);
            if (known.first == first && known.second == second) {
                return known.name;
            }
        }
        String name = cursor.text();
        if (seen.size() < MOST) {
            seen.add(new Seen(first, second, name));
        }
        return name;
    }
}
