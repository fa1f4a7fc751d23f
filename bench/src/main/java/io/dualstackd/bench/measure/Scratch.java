package io.dualstackd.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for files of a measurement, deleted with its content when it is closed. */
public record Scratch(Path path) implements AutoCloseable {
    public static Scratch make() throws IOException {
        return new Scratch(Files.createTempDirectory("dualstackd-bench"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
