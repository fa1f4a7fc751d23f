package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a file system without hard links, such as FAT: the kernel answers EPERM. */
final class SafeWriteTest {
    @TempDir
    private Path folder;

    private Path file = Path.of("/");

    @BeforeEach
    void choose() {
        file = folder.resolve("web.yaml");
    }

    private SafeWrite withoutLinks() {
        return new SafeWrite(file, (fresh, existing) -> {
            throw new FileSystemException(fresh.toString(), existing.toString(), "Operation not permitted");
        });
    }

    @Test
    void aFileIsMade() throws Exception {
        assertThat(withoutLinks().change(Optional.empty(), Optional.of("new"))).isTrue();
        assertThat(file).hasContent("new");
        onlyTheFileIsThere();
    }

    @Test
    void aFileOfAnotherProgramIsNotReplaced() throws Exception {
        Files.writeString(file, "of another program");
        assertThat(withoutLinks().change(Optional.empty(), Optional.of("new"))).isFalse();
        assertThat(file).hasContent("of another program");
        onlyTheFileIsThere();
    }

    private void onlyTheFileIsThere() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}
