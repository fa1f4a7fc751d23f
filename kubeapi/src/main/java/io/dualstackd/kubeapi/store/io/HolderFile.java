package io.dualstackd.kubeapi.store.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with the holder of each contested claim, so that a restart changes nothing: a line for each, holder and claim separated by a tab.
 * A holder may be a file of any name, so {@code \}, tabs and line ends in it are written as {@code \\}, {@code \t}, {@code \n} and
 * {@code \r}.
 * Without conflicts there is no file.
 *
 * <p>The file is not essential: an error is logged once, and what could not be written is written with the next change.
 */
public final class HolderFile {
    /** Holders of destinations. */
    static final String DESTINATIONS = "holders-of-destinations";

    /** Holders of names of objects, for files. */
    public static final String NAMES = "holders-of-names";

    private static final Logger LOG = LoggerFactory.getLogger("sources");

    private static final Pattern ESCAPE = Pattern.compile("\\\\([\\\\tnr])");

    private final Optional<Path> file;
    private boolean complained;
    /** What is to be written and could not be. */
    private Optional<Map<String, String>> unwritten = Optional.empty();

    /** @param state folder of the daemon; empty: nothing is stored */
    public HolderFile(Optional<Path> state, String name) {
        this.file = state.map(folder -> folder.resolve(name));
    }

    /** Holders by claim, as last written. */
    public Map<String, String> read() {
        Map<String, String> holders = new TreeMap<>();
        if (file.isEmpty()) {
            return holders;
        }
        try {
            for (String line :
                    Files.readString(file.get(), StandardCharsets.UTF_8).lines().toList()) {
                int tab = line.indexOf('\t');
                if (tab > 0) {
                    holders.put(line.substring(tab + 1), plain(line.substring(0, tab)));
                }
            }
        } catch (NoSuchFileException e) {
            // There was no conflict.
        } catch (IOException e) {
            complain(e);
        }
        return holders;
    }

    /** Replaces the whole file; returns false when that failed. */
    public boolean write(Map<String, String> holders) {
        if (file.isEmpty()) {
            return true;
        }
        try {
            replace(file.get(), holders);
            unwritten = Optional.empty();
            complained = false;
            return true;
        } catch (IOException e) {
            unwritten = Optional.of(holders);
            complain(e);
            return false;
        }
    }

    /** What the last {@link #write} could not write. */
    Optional<Map<String, String>> unwritten() {
        return unwritten;
    }

    private static void replace(Path target, Map<String, String> holders) throws IOException {
        if (holders.isEmpty()) {
            Files.deleteIfExists(target);
            return;
        }
        StringBuilder text = new StringBuilder();
        new TreeMap<>(holders)
                .forEach((claim, holder) ->
                        text.append(escaped(holder)).append('\t').append(claim).append('\n'));
        Path fresh = target.resolveSibling("." + target.getFileName());
        Files.createDirectories(
                target.resolveSibling("."),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(fresh, text);
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String escaped(String holder) {
        return holder.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    private static String plain(String escaped) {
        return ESCAPE.matcher(escaped)
                .replaceAll(match -> Matcher.quoteReplacement(
                        switch (match.group(1)) {
                            case "t" -> "\t";
                            case "n" -> "\n";
                            case "r" -> "\r";
                            default -> "\\";
                        }));
    }

    private void complain(IOException e) {
        if (!complained) {
            complained = true;
            LOG.warn(
                    "holders of contested destinations not saved file={} reason=\"{}\""
                            + " next=\"try again with the next change; after a restart another one may hold it\"",
                    file.map(Path::toString).orElse(""),
                    e.toString());
        }
    }
}
