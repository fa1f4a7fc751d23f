package io.dualstackd.netlink.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A golden file: one netlink message in hexadecimal with a note per field, and how we print it.
 *
 * <p>Format: {@code #} starts a comment line; {@code decode:} names the decoder, {@code prints:} the expected text, one of these per line of it; every other line
 * is hexadecimal up to {@code |}, behind which stands what it is. The first 16 bytes are the message header.
 *
 * @param name of the file
 * @param message the whole message
 */
public record NlHex(String name, String decode, String prints, Bytes message) {
    /** All {@code .nlhex} files of a directory of test resources, by name. */
    public static List<NlHex> all(String directory) {
        URL url = Objects.requireNonNull(NlHex.class.getResource("/" + directory), directory);
        try (Stream<Path> files = Files.list(Path.of(url.toURI()))) {
            List<NlHex> all = files.filter(file -> file.toString().endsWith(".nlhex"))
                    .sorted()
                    .map(NlHex::read)
                    .toList();
            if (all.isEmpty()) {
                throw new IllegalStateException("no .nlhex file in " + directory);
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static NlHex read(Path file) {
        String decode = "";
        String prints = "";
        StringBuilder hex = new StringBuilder();
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("decode:")) {
                    decode = line.substring("decode:".length()).strip();
                } else if (line.startsWith("prints:")) {
                    prints += (prints.isEmpty() ? "" : "\n")
                            + line.substring("prints:".length()).strip();
                } else if (!line.startsWith("#")) {
                    int note = line.indexOf('|');
                    hex.append(note < 0 ? line : line.substring(0, note));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new NlHex(Objects.toString(file.getFileName()), decode, prints, Bytes.ofHex(hex.toString()));
    }

    /** The message as one that came from the kernel. */
    public NlMessage received() throws DecodeException {
        byte[] bytes = message.toArray();
        return NlMessage.split(bytes, bytes.length).getFirst();
    }

    /** The first {@code length} bytes of the body alone. */
    public NlReader body(int length) {
        return new NlReader(message.toArray(), 16, length, name);
    }

    public int bodyLength() {
        return message.length() - 16;
    }

    @Override
    public String toString() {
        return name;
    }
}
