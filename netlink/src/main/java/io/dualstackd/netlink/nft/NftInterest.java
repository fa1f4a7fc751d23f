package io.dualstackd.netlink.nft;

/** Which news of nf_tables somebody wants to have decoded. */
@FunctionalInterface
public interface NftInterest {
    /** Everything. */
    NftInterest EVERYTHING = message -> true;

    /** @param message valid during the call only */
    boolean wants(NftMessageView message);
}
