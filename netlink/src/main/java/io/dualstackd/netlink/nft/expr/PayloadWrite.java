package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.PayloadAttrs;
import io.dualstackd.netlink.nft.data.PayloadBase;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes a register into the packet and updates a checksum.
 *
 * @param offset bytes from the start of {@code base}
 * @param length bytes, 1 to 64
 * @param checksumType {@code enum nft_payload_csum_types}: 0 none, 1 Internet, 2 SCTP
 * @param checksumOffset of the checksum, bytes from the start of {@code base}
 * @param checksumFlags {@code enum nft_payload_csum_flags}: 1 when the transport checksum covers these bytes, too
 */
public record PayloadWrite(
        PayloadBase base, int offset, int length, int register, int checksumType, int checksumOffset, int checksumFlags)
        implements NftExpr {

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        PayloadBase base = PayloadBase.find(data.get(PayloadAttrs.BASE));
        return base == null
                ? null
                : new PayloadWrite(
                        base,
                        data.get(PayloadAttrs.OFFSET),
                        data.get(PayloadAttrs.LEN),
                        data.get(PayloadAttrs.SREG),
                        data.get(PayloadAttrs.CSUM_TYPE, 0),
                        data.get(PayloadAttrs.CSUM_OFFSET, 0),
                        data.get(PayloadAttrs.CSUM_FLAGS, 0));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(PayloadAttrs.SREG, register);
        writer.put(PayloadAttrs.BASE, base.number());
        writer.put(PayloadAttrs.OFFSET, offset);
        writer.put(PayloadAttrs.LEN, length);
        writer.put(PayloadAttrs.CSUM_TYPE, checksumType);
        writer.put(PayloadAttrs.CSUM_OFFSET, checksumOffset);
        writer.put(PayloadAttrs.CSUM_FLAGS, checksumFlags);
    }

    @Override
    public String toString() {
        return "[ payload write reg " + register + " => " + length + "b @ " + base + " + " + offset + " csum_type "
                + checksumType + " csum_off " + checksumOffset + " csum_flags 0x"
                + Integer.toHexString(checksumFlags) + " ]";
    }
}
