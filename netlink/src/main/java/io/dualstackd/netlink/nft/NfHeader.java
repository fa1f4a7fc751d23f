package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/** {@code struct nfgenmsg} of {@code linux/netfilter/nfnetlink.h}: follows the netlink header in every netfilter message. */
public record NfHeader(NftFamily family, int version, int resource) {
    public static void write(NlWriter writer, NftFamily family) {
        write(writer, family, 0);
    }

    /** @param resource the subsystem for begin and end of a batch, else 0 */
    static void write(NlWriter writer, NftFamily family, int resource) {
        writer.u8(family.number());
        writer.u8(0);
        writer.u16be(resource);
    }

    /** Reads the header from the start of a message's body. */
    public static NfHeader read(NlReader body) throws DecodeException {
        return new NfHeader(new NftFamily(body.u8()), body.u8(), body.u16be());
    }
}
