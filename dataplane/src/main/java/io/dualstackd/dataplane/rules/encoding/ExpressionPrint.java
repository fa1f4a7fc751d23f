package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.expr.Expressions;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrCursor;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.DecodeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprints expressions in place, without decoding them: numbers, lengths and payloads of their attributes. Flag bits in attribute
 * headers do not count, since the kernel sets them inconsistently, and neither does the value of a counter. Used by one thread.
 */
public final class ExpressionPrint {
    private static final String COUNTER = "counter";

    /** Neither a number nor a header of an attribute, see {@link #payload}. */
    private static final long END = -1;

    private final SipHash hash;
    private final SeenNames names = new SeenNames();

    public ExpressionPrint(PrintKey key) {
        hash = new SipHash(key);
    }

    /** The fingerprint of a rule that is to be written. */
    public Fingerprint of(RuleBody rule) {
        try {
            return of(rule.expressions());
        } catch (DecodeException e) {
            throw new IllegalStateException("a rule of ours does not decode: " + rule, e);
        }
    }

    /** @param expressions positioned before the first expression of a rule; consumed */
    public Fingerprint of(AttrCursor expressions) throws DecodeException {
        hash.start();
        while (expressions.advance()) {
            expressions.enter();
            expression(expressions);
            expressions.leave();
        }
        return hash.finish();
    }

    private void expression(AttrCursor parts) throws DecodeException {
        AttrTable table = null;
        while (parts.advance()) {
            if (Expressions.isName(parts.number())) {
                payload(parts);
                String name = names.of(parts);
                if (name.equals(COUNTER)) {
                    return;
                }
                table = Expressions.table(name);
            } else {
                attributes(parts, table);
            }
        }
    }

    private void attributes(AttrCursor cursor, @Nullable AttrTable table) throws DecodeException {
        cursor.enter();
        while (cursor.advance()) {
            if (table != null && table.find(cursor.number()) instanceof Attr.Nest nest) {
                hash.word(cursor.number());
                attributes(cursor, nest.table());
            } else {
                payload(cursor);
            }
        }
        hash.word(END);
        cursor.leave();
    }

    /** Hashes a payload without its trailing zeros, but with their number: structures with fixed-size text hold many. */
    private void payload(AttrCursor attribute) {
        int end = attribute.length();
        while (end > 0 && attribute.word(lastWord(end)) == 0) {
            end = lastWord(end);
        }
        hash.word(((long) attribute.number() << 32) | ((long) end << 16) | attribute.length());
        for (int at = 0; at < end; at += Long.BYTES) {
            hash.word(attribute.word(at));
        }
    }

    private static int lastWord(int end) {
        return (end - 1) & -Long.BYTES;
    }

    /** A cache of the names of expressions, so that the same dozen names do not become a million strings. */
    private static final class SeenNames {
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
}
