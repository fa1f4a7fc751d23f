package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.agent.cli.ManifestFiles.Unreadable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code -f} reads. */
final class ManifestFilesTest {
    private static final int LIMIT = 16 << 20;

    @TempDir
    Path folder;

    private Path fileOf(long bytes) throws Exception {
        Path file = folder.resolve("large.yaml");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(bytes);
        }
        return file;
    }

    @Test
    void aFileOverTheLimitIsRefusedBeforeItIsRead() throws Exception {
        // More than an array can hold.
        Path file = fileOf(1L << 40);
        assertThatThrownBy(() -> ManifestFiles.read(file.toString(), false, InputStream.nullInputStream()))
                .isInstanceOf(Unreadable.class)
                .hasMessage(file + " is larger than 16 MiB");
    }

    @Test
    void aFileOfTheLimitIsRead() throws Exception {
        assertThat(ManifestFiles.read(fileOf(LIMIT).toString(), false, InputStream.nullInputStream()))
                .singleElement()
                .satisfies(text -> assertThat(text.text()).hasSize(LIMIT));
    }

    /** The system refuses to open it by its path, which is longer than 4096 bytes: also for root, whom no permission stops. */
    @Test
    void aFolderInTheFolderThatCannotBeReadIsNamed() throws Exception {
        Path outer = chain(folder.resolve("outer"), 8);
        chain(folder.resolve("inner"), 10);
        Path moved = Files.move(folder.resolve("inner"), outer.resolve("inner"));
        try {
            assertThatThrownBy(() -> ManifestFiles.read(folder.toString(), true, InputStream.nullInputStream()))
                    .isInstanceOf(Unreadable.class)
                    .hasMessageStartingWith(folder + " cannot be read: ")
                    .hasMessageEndingWith("File name too long");
        } finally {
            Files.move(moved, folder.resolve("inner"));
        }
    }

    private static Path chain(Path first, int length) throws IOException {
        Path last = first;
        for (int i = 0; i < length; i++) {
            last = last.resolve("d".repeat(250));
        }
        return Files.createDirectories(last);
    }

    @Test
    void aFolderMayBeGivenAsALink() throws Exception {
        Path target = Files.createDirectory(folder.resolve("1"));
        Files.writeString(target.resolve("a.yaml"), "# a");
        Path link = Files.createSymbolicLink(folder.resolve("current"), target);
        assertThat(ManifestFiles.read(link.toString(), false, InputStream.nullInputStream()))
                .singleElement()
                .satisfies(text -> assertThat(text.place()).isEqualTo(link + "/a.yaml"));
    }

    @Test
    void hiddenFoldersAreSkipped() throws Exception {
        // As the kubelet lays out a ConfigMap.
        Path version = Files.createDirectory(folder.resolve("..2026_11_28"));
        Files.writeString(version.resolve("a.yaml"), "# a");
        Files.createSymbolicLink(folder.resolve("..data"), version.getFileName());
        Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data/a.yaml"));
        assertThat(ManifestFiles.read(folder.toString(), true, InputStream.nullInputStream()))
                .singleElement()
                .satisfies(text -> assertThat(text.place()).isEqualTo(folder + "/a.yaml"));
    }

    /** Read with a replacement for what is not UTF-8, it would be written so into the manifest. */
    @Test
    void whatIsNotUtf8IsRefusedAndNamed() throws Exception {
        byte[] latin1 = "# caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> ManifestFiles.read("-", false, new ByteArrayInputStream(latin1)))
                .isInstanceOf(Unreadable.class)
                .hasMessage("standard input cannot be read: it is not UTF-8");
        Files.writeString(folder.resolve("a.yaml"), "# a");
        Path file = Files.write(folder.resolve("b.yaml"), latin1);
        assertThatThrownBy(() -> ManifestFiles.read(folder.toString(), false, InputStream.nullInputStream()))
                .isInstanceOf(Unreadable.class)
                .hasMessage(file + " cannot be read: it is not UTF-8");
    }

    @Test
    void standardInputOverTheLimitIsRefused() {
        assertThatThrownBy(() -> ManifestFiles.read("-", false, new ByteArrayInputStream(new byte[LIMIT + 1])))
                .isInstanceOf(Unreadable.class)
                .hasMessage("standard input is larger than 16 MiB");
    }
}
