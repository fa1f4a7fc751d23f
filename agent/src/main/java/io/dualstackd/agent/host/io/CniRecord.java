package io.dualstackd.agent.host.io;

import io.dualstackd.pods.CniList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The paths at which the daemon wrote CNI configurations, kept in the state directory so that {@code cleanup} finds them. A configuration is
 * removed only while it is still the daemon's own.
 */
public final class CniRecord {
    private static final String FILE = "cni-files";

    private final Path file;

    /** The result of removing one configuration. */
    sealed interface Outcome {
        Path path();

        /** It was removed. */
        record Removed(Path path) implements Outcome {}

        /** There is another file now, which stays. */
        record Foreign(Path path) implements Outcome {}

        /** It cannot be removed, and stays recorded. */
        record Failed(Path path, String why) implements Outcome {}
    }

    private CniRecord(Path file) {
        this.file = file;
    }

    public static CniRecord in(Path state) {
        return new CniRecord(state.resolve(FILE));
    }

    /**
     * Records a path that is about to be written.
     *
     * @throws IOException when that is not possible; the message is for the user
     */
    public void remember(Path path) throws IOException {
        try {
            Set<String> paths = read();
            if (paths.add(path.toAbsolutePath().toString())) {
                write(paths);
            }
        } catch (IOException e) {
            throw new IOException(
                    "--write-cni: " + file + ", which keeps the path for cleanup, cannot be written: "
                            + FileErrors.reason(e),
                    e);
        }
    }

    /** Removes every recorded configuration that is still the daemon's own; those already gone are not reported. */
    List<Outcome> remove() throws IOException {
        Set<String> left = new LinkedHashSet<>();
        List<Outcome> outcomes = new ArrayList<>();
        Set<String> recorded = read();
        for (String text : recorded) {
            Path path = Path.of(text);
            try {
                if (CniList.isOurs(Files.readString(path, StandardCharsets.ISO_8859_1))) {
                    Files.delete(path);
                    outcomes.add(new Outcome.Removed(path));
                } else {
                    outcomes.add(new Outcome.Foreign(path));
                }
            } catch (NoSuchFileException e) {
                // Removed by hand.
            } catch (IOException e) {
                left.add(text);
                outcomes.add(new Outcome.Failed(path, FileErrors.reason(e)));
            }
        }
        if (!recorded.equals(left)) {
            write(left);
        }
        return List.copyOf(outcomes);
    }

    private Set<String> read() throws IOException {
        try {
            return new LinkedHashSet<>(Files.readAllLines(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            return new LinkedHashSet<>();
        }
    }

    private void write(Set<String> paths) throws IOException {
        if (paths.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path temporary = Files.write(file.resolveSibling("." + FILE + ".new"), paths, StandardCharsets.UTF_8);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
