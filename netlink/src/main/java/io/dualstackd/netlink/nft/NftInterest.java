package io.dualstackd.netlink.nft;

/** Selects the nf_tables notifications that are decoded. */
@FunctionalInterface
public interface NftInterest {
    /** Selects all notifications. */
    NftInterest EVERYTHING = message -> true;

    /** @param message valid during the call only */
    boolean wants(NftMessageView message);
}
