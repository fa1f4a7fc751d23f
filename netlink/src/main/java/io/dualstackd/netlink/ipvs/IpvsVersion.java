package io.dualstackd.netlink.ipvs;

/**
 * The IPVS version of a kernel.
 *
 * @param version three numbers of a byte each: {@code 0x010201} is 1.2.1
 * @param tableSize number of entries of the connection table
 */
public record IpvsVersion(int version, int tableSize) {
    @Override
    public String toString() {
        return (version >> 16 & 0xff) + "." + (version >> 8 & 0xff) + "." + (version & 0xff) + " size " + tableSize;
    }
}
