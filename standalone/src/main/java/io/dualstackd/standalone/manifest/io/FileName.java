package io.dualstackd.standalone.manifest.io;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of files, within the limit of Linux. */
final class FileName {
    /** {@code NAME_MAX} of {@code linux/limits.h}. */
    private static final int MAX_BYTES = 255;

    private static final int DIGEST_BYTES = 6;

    private FileName() {}

    /** Returns these parts joined; if that is too long, a digest of the name is in place of its end. */
    static String of(String before, String name, String after) {
        String whole = before + name + after;
        if (bytes(whole) <= MAX_BYTES) {
            return whole;
        }
        String digest = "-" + digest(name);
        String beginning = name;
        while (bytes(before + beginning + digest + after) > MAX_BYTES) {
            beginning = beginning.substring(0, beginning.offsetByCodePoints(beginning.length(), -1));
        }
        return before + beginning + digest + after;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
