package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The part of a table that decides about packets, either read from the kernel or compiled. */
public interface WalkedTable {
    /** All chains by name. */
    Map<String, Chain> chains();

    /**
     * The element for a key; a range contains what lies between its ends.
     *
     * @param registers the key, followed by further content of the registers
     * @throws IllegalStateException when there is no such set
     */
    Optional<NftElement> find(String set, Bytes registers);

    /** The element for a key among those of a set: the range that contains it, or the element that equals it. */
    static Optional<NftElement> among(Collection<NftElement> elements, Bytes key) {
        return elements.stream()
                .filter(element -> element.keyEnd().length() == 0
                        ? element.key().equals(key)
                        : compare(element.key(), key) <= 0 && compare(key, element.keyEnd()) <= 0)
                .findFirst();
    }

    private static int compare(Bytes a, Bytes b) {
        for (int i = 0; i < a.length(); i++) {
            if (a.at(i) != b.at(i)) {
                return a.at(i) - b.at(i);
            }
        }
        return 0;
    }

    /**
     * A chain.
     *
     * @param hook of a base chain
     * @param rules the expressions of each, in order
     */
    record Chain(Optional<NftHook> hook, List<List<NftExpr>> rules) {
        public Chain {
            rules = List.copyOf(rules);
        }
    }
}
