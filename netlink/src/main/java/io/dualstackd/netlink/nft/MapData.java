package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.Bytes;

/** The data of a map element. */
public sealed interface MapData {
    /** No data, as for elements of a set. */
    record Nothing() implements MapData {}

    /** A value for registers. */
    record Value(Bytes bytes) implements MapData {}

    /** A verdict, for verdict maps. */
    record Does(Verdict verdict) implements MapData {}

    /** The data of a set's element. */
    MapData NOTHING = new Nothing();
}
