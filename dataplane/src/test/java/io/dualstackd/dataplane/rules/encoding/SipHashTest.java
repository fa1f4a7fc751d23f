package io.dualstackd.dataplane.rules.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.Fingerprint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors of the algorithm's reference implementation: key 00 … 0f, input 00, 01, … of increasing length. */
final class SipHashTest {
    @ParameterizedTest
    @CsvSource({
        "0, a3817f04ba25a8e66df67214c7550293",
        "1, da87c1d86b99af44347659119b22fc45",
        "2, 8177228da4a45dc7fca38bdef60affe4",
    })
    void agreesWithTheReference(int length, String hash) {
        SipHash sip = new SipHash(new PrintKey(0x0f0e0d0c0b0a0908L, 0x0706050403020100L));
        sip.start();
        long last = (long) length << 56;
        for (int i = 0; i < length; i++) {
            last |= (long) i << (8 * i);
        }
        sip.word(last);
        assertThat(sip.finish())
                .isEqualTo(new Fingerprint(littleEndian(hash.substring(0, 16)), littleEndian(hash.substring(16))));
    }

    private static long littleEndian(String hex) {
        return Long.reverseBytes(Long.parseUnsignedLong(hex, 16));
    }
}
