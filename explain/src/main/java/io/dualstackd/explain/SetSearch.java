package io.dualstackd.explain;

import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.wire.Bytes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Searches a key among all elements of a set of any author, as the kernel does: in ranges, in ranges of each field, or in none. */
public final class SetSearch {
    private SetSearch() {}

    /**
     * The element that the kernel finds for a key.
     *
     * @param elements all of the set
     * @param key as long as the set's keys
     */
    public static Optional<NftElement> find(NftSet set, List<NftElement> elements, Bytes key) {
        Optional<NftElement> own = set.has(NftSet.CONCAT)
                ? elements.stream()
                        .filter(element -> !isForTheRest(element) && contains(set, element, key))
                        .findFirst()
                : inRange(elements, key);
        return own.or(() -> elements.stream().filter(SetSearch::isForTheRest).findFirst());
    }

    private static boolean isForTheRest(NftElement element) {
        return (element.flags() & NftElement.CATCHALL) != 0;
    }

    private static boolean isEnd(NftElement element) {
        return (element.flags() & NftElement.INTERVAL_END) != 0;
    }

    /** A range begins at one element and ends before the next one; the last may have no end. */
    private static Optional<NftElement> inRange(List<NftElement> elements, Bytes key) {
        @Nullable NftElement nearest = null;
        for (NftElement element : elements) {
            if (isForTheRest(element) || compare(element.key(), key, 0, key.length()) > 0) {
                continue;
            }
            int order = nearest == null ? 1 : compare(element.key(), nearest.key(), 0, key.length());
            // Where one range ends, another may begin.
            if (order > 0 || (order == 0 && !isEnd(element))) {
                nearest = element;
            }
        }
        return Optional.ofNullable(nearest).filter(element -> !isEnd(element));
    }

    private static boolean contains(NftSet set, NftElement element, Bytes key) {
        Bytes last = element.keyEnd().length() == 0 ? element.key() : element.keyEnd();
        int at = 0;
        for (int length : set.fields().isEmpty() ? List.of(key.length()) : set.fields()) {
            if (compare(element.key(), key, at, length) > 0 || compare(key, last, at, length) > 0) {
                return false;
            }
            at += (length + 3) & ~3;
        }
        return true;
    }

    private static int compare(Bytes a, Bytes b, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (a.at(i) != b.at(i)) {
                return a.at(i) - b.at(i);
            }
        }
        return 0;
    }
}
