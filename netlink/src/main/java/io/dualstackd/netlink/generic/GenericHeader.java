package io.dualstackd.netlink.generic;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * {@code struct genlmsghdr}, between the netlink header and the attributes.
 *
 * @param command what to do, numbered by each family
 * @param version of the family's messages
 */
public record GenericHeader(int command, int version) {
    public static GenericHeader read(NlReader reader) throws DecodeException {
        GenericHeader header = new GenericHeader(reader.u8(), reader.u8());
        reader.skip(2);
        return header;
    }

    public void write(NlWriter writer) {
        writer.u8(command);
        writer.u8(version);
        writer.u16(0);
    }
}
