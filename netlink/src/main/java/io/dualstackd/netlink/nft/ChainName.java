package io.dualstackd.netlink.nft;

/** The identity of a chain. Prints as {@code ip nat POSTROUTING}. */
public record ChainName(TableName table, String name) {
    @Override
    public String toString() {
        return table + " " + name;
    }
}
