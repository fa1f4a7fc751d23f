package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.netlink.wire.Bytes;
import java.util.Map;
import java.util.Optional;

/**
 * The dirty objects as they were read.
 *
 * @param chains by name; empty for those that do not exist
 * @param elements by name of the set, by key; empty for those that do not exist
 */
public record ReadBack(
        Map<String, Optional<ChainFingerprint>> chains, Map<String, Map<Bytes, Optional<Held>>> elements) {
    public ReadBack {
        chains = Map.copyOf(chains);
        elements = Map.copyOf(elements);
    }

    /**
     * What a map holds for a key.
     *
     * @param value empty in sets and verdict maps
     * @param chain where a verdict map leads to; else empty
     */
    public record Held(Bytes value, String chain) {
        public static final Held NOTHING = new Held(Bytes.EMPTY, "");
    }
}
