package io.dualstackd.kubeapi.access.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuthorityFileTest {
    private static final FileTime THEN = FileTime.fromMillis(1_700_000_000_000L);

    @TempDir
    private Path folder;

    private Path written(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("ca.crt"), "-----BEGIN CERTIFICATE-----" + content);
        // The stamp is always the same one, as if the file had been replaced before it was taken.
        return Files.setLastModifiedTime(file, THEN);
    }

    @Test
    void readsAFileAgainThatWasReplacedWhileItWasFirstRead() throws IOException {
        AuthorityFile authority = new AuthorityFile(written("old"), "the authority");
        written("new");
        assertThat(authority.read()).endsWith("new");
    }
}
