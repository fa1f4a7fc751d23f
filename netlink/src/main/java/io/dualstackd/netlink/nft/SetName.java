package io.dualstackd.netlink.nft;

/** What identifies a set or map. Prints as {@code ip dualstackd endpoints}. */
public record SetName(TableName table, String name) {
    @Override
    public String toString() {
        return table + " " + name;
    }
}
