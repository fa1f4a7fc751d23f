package io.dualstackd.dataplane.rules;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Short names for long texts. */
public final class NameHash {
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final MessageDigest SHA_256 = findSha256();

    private NameHash() {}

    /** Returns the first {@code length} characters, at most 51, of base 32 (RFC 4648) of the SHA-256 of {@code text}. */
    public static String of(String text, int length) {
        byte[] digest = newSha256().digest(text.getBytes(StandardCharsets.UTF_8));
        StringBuilder out = new StringBuilder(length);
        long bits = 0;
        int held = 0;
        for (int at = 0; out.length() < length; at++) {
            bits = bits << 8 | (digest[at] & 0xff);
            held += 8;
            while (held >= 5) {
                held -= 5;
                out.append(BASE32.charAt((int) (bits >>> held) & 31));
            }
        }
        return out.toString();
    }

    /** Cloned for each use: looking the algorithm up costs more than a hash. */
    private static MessageDigest newSha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("the platform's own SHA-256 can be copied", e);
        }
    }

    private static MessageDigest findSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
