package io.dualstackd.kubeapi.access.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a file of certificates or a key. */
final class PemFile {
    private static final long LARGEST = 4 << 20;

    private PemFile() {}

    /** @throws IOException if it cannot be used; the message gives the file and the rule */
    static String read(Path path, String what) throws IOException {
        String text;
        try {
            if (Files.size(path) > LARGEST) {
                throw new IOException(what + " " + path + ": has more than " + LARGEST + " bytes");
            }
            // Around the certificates there may be anything, in any encoding.
            text = Files.readString(path, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new IOException(what + " " + path + ": there is no such file", e);
        }
        if (!text.contains("-----BEGIN ")) {
            throw new IOException(what + " " + path + ": must be PEM, but there is no -----BEGIN in it");
        }
        return text;
    }
}
