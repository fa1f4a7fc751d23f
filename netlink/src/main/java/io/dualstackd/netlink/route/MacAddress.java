package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.Bytes;
import java.util.HexFormat;

/**
 * The hardware address of a link, 6 bytes for Ethernet, other lengths elsewhere.
 *
 * @param bytes in the order in which they are written
 */
public record MacAddress(Bytes bytes) {

    @Override
    public String toString() {
        return HexFormat.ofDelimiter(":").formatHex(bytes.toArray());
    }
}
