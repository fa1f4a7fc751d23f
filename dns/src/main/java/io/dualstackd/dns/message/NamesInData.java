package io.dualstackd.dns.message;

import java.io.ByteArrayOutputStream;

/** Record types whose data may contain compressed names (RFC 3597, section 4): those names are decompressed. */
final class NamesInData {
    private NamesInData() {}

    static MessageBytes uncompressed(WireReader in, int type, int length) throws MalformedMessageException {
        int end = in.position() + length;
        // Number of bytes before the first name, and number of names.
        int[] shape = switch (type) {
            case 3, 4, 7, 8, 9, 30 -> new int[] {0, 1}; // MD, MF, MB, MG, MR, NXT
            case 14, 17 -> new int[] {0, 2}; // MINFO, RP
            case 15, 18, 21 -> new int[] {2, 1}; // MX, AFSDB, RT
            case 24 -> new int[] {18, 1}; // SIG
            case 26 -> new int[] {2, 2}; // PX
            case 35 -> new int[] {bytesBeforeReplacement(in), 1}; // NAPTR
            case 36 -> new int[] {2, 1}; // KX
            default -> new int[] {0, 0};
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(in.take(shape[0]));
        for (int i = 0; i < shape[1]; i++) {
            DnsName name = in.name();
            byte[] bytes = new byte[name.size()];
            name.copyTo(bytes, 0);
            out.writeBytes(bytes);
        }
        int rest = end - in.position();
        if (rest < 0) {
            throw new MalformedMessageException("a record that is longer than it says", end);
        }
        out.writeBytes(in.take(rest));
        return MessageBytes.of(out.toByteArray());
    }

    /** Of a {@code NAPTR}: order, preference, and three texts with a length each (RFC 3403, 4.1). */
    private static int bytesBeforeReplacement(WireReader in) throws MalformedMessageException {
        int start = in.position();
        in.skip(4);
        for (int i = 0; i < 3; i++) {
            in.skip(in.u8());
        }
        int bytes = in.position() - start;
        in.moveTo(start);
        return bytes;
    }
}
