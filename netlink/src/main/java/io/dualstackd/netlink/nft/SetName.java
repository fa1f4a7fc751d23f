package io.dualstackd.netlink.nft;

/** The identity of a set or map. Prints as {@code ip dualstackd endpoints}. */
public record SetName(TableName table, String name) {
    @Override
    public String toString() {
        return table + " " + name;
    }
}
