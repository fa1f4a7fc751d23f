package io.dualstackd.standalone.edit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The text of an object, for a person to change. */
public sealed interface ObjectText {
    /** The text as its manifest has it, with its comments. */
    record Found(String text) implements ObjectText {}

    /** No manifest has the object. */
    record Absent() implements ObjectText {}

    /** The object cannot be edited, for this reason. */
    record Refused(String why) implements ObjectText {}

    /** Identifies a text: it is replaced only while it is still the one that was edited. */
    static String version(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
