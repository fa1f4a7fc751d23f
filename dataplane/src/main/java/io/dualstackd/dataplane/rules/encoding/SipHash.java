package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.dataplane.diff.Fingerprint;

/**
 * SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, "SipHash: a fast short-input PRF"): without the key, collisions cannot
 * be searched for. Takes words of eight bytes; reusable, for one thread.
 */
final class SipHash {
    private final PrintKey key;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    SipHash(PrintKey key) {
        this.key = key;
    }

    void start() {
        v0 = key.low() ^ 0x736f6d6570736575L;
        v1 = key.high() ^ 0x646f72616e646f6dL ^ 0xee;
        v2 = key.low() ^ 0x6c7967656e657261L;
        v3 = key.high() ^ 0x7465646279746573L;
    }

    void word(long word) {
        v3 ^= word;
        rounds(2);
        v0 ^= word;
    }

    Fingerprint finish() {
        v2 ^= 0xee;
        rounds(4);
        long first = v0 ^ v1 ^ v2 ^ v3;
        v1 ^= 0xdd;
        rounds(4);
        return new Fingerprint(first, v0 ^ v1 ^ v2 ^ v3);
    }

    /** Works on local variables, because the first-tier compiler keeps fields in memory. */
    private void rounds(int count) {
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3;
        for (int i = 0; i < count; i++) {
            a += b;
            b = Long.rotateLeft(b, 13) ^ a;
            a = Long.rotateLeft(a, 32);
            c += d;
            d = Long.rotateLeft(d, 16) ^ c;
            a += d;
            d = Long.rotateLeft(d, 21) ^ a;
            c += b;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
        }
        v0 = a;
        v1 = b;
        v2 = c;
        v3 = d;
    }
}
