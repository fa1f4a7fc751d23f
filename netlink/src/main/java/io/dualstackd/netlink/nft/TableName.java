package io.dualstackd.netlink.nft;

/** The identity of a table. Prints as {@code ip nat}. */
public record TableName(NftFamily family, String name) {
    public ChainName chain(String chain) {
        return new ChainName(this, chain);
    }

    /** Returns the name of a set or map of this table. */
    public SetName set(String set) {
        return new SetName(this, set);
    }

    @Override
    public String toString() {
        return family + " " + name;
    }
}
