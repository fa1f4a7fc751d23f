package io.dualstackd.netlink.ipvs;

/**
 * Which IPVS a kernel has.
 *
 * @param version three numbers of a byte each: {@code 0x010201} is 1.2.1
 * @param tableSize entries of the table of connections
 */
public record IpvsVersion(int version, int tableSize) {
    @Override
    public String toString() {
        return (version >> 16 & 0xff) + "." + (version >> 8 & 0xff) + "." + (version & 0xff) + " size " + tableSize;
    }
}
