package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * Fingerprints expressions: the first 128 bits of SHA-256 over their names and attributes. A counter counts as a counter,
 * whatever it has counted.
 */
final class ExpressionPrint {
    private final NlWriter writer = new NlWriter(1024);
    private final MessageDigest sha256;

    ExpressionPrint() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    Fingerprint of(List<NftExpr> expressions) {
        writer.clear();
        for (NftExpr expression : expressions) {
            byte[] name = expression.name().getBytes(StandardCharsets.US_ASCII);
            writer.u32(name.length);
            writer.bytes(name, 0, name.length);
            if (!(expression instanceof Counter)) {
                expression.writeData(writer);
            }
        }
        sha256.update(writer.buffer(), 0, writer.length());
        ByteBuffer hash = ByteBuffer.wrap(sha256.digest());
        return new Fingerprint(hash.getLong(), hash.getLong());
    }
}
