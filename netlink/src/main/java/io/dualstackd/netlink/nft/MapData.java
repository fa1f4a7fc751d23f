package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.Bytes;

/** What a map holds for a key. */
public sealed interface MapData {
    /** Elements of a set hold nothing. */
    record Nothing() implements MapData {}

    /** A value for registers. */
    record Value(Bytes bytes) implements MapData {}

    /** A verdict, in verdict maps. */
    record Does(Verdict verdict) implements MapData {}

    /** A set's element. */
    MapData NOTHING = new Nothing();
}
