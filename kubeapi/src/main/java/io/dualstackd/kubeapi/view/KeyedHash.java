package io.dualstackd.kubeapi.view;

/**
 * SipHash-1-3 of three words (Aumasson and Bernstein, "SipHash: a fast short-input PRF") with a secret key of this process: without it,
 * nobody can name addresses that collide with those of another Service.
 */
public record KeyedHash(long high, long low) {
    /** Returns the hash; never 0. */
    long of(long first, long second, long third) {
        long a = low ^ 0x736f6d6570736575L;
        long b = high ^ 0x646f72616e646f6dL;
        long c = low ^ 0x6c7967656e657261L;
        long d = high ^ 0x7465646279746573L;
        for (int i = 0; i < 7; i++) {
            long word = switch (i) {
                case 0 -> first;
                case 1 -> second;
                case 2 -> third;
                // The last word holds the length in bytes.
                case 3 -> 24L << 56;
                default -> 0;
            };
            if (i == 4) {
                c ^= 0xff;
            }
            d ^= word;
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
            a ^= word;
        }
        long hash = a ^ b ^ c ^ d;
        return hash == 0 ? 1 : hash;
    }

    /** Does not print the key: keys do not belong in logs. */
    @Override
    public String toString() {
        return "KeyedHash[…]";
    }
}
