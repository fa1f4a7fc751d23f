package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LastGoodTest {
    @TempDir
    private Path state;

    @TempDir
    private Path manifests;

    @Test
    void manyFilesAreCopiedInParts() throws IOException {
        LastGood lastGood = LastGood.in(state, manifests, Dialect.STORED);
        for (Path file : files(2 * LastGood.AT_ONCE + 1)) {
            remember(lastGood, file);
        }
        assertThat(lastGood.copy()).isFalse();
        assertThat(lastGood.names()).hasSize(LastGood.AT_ONCE);
        assertThat(lastGood.copy()).isFalse();
        assertThat(lastGood.names()).hasSize(2 * LastGood.AT_ONCE);
        assertThat(lastGood.copy()).isTrue();
        assertThat(lastGood.names()).hasSize(2 * LastGood.AT_ONCE + 1);
    }

    /** As after a restart: an equal copy is not written again, and does not wait for the disk. */
    @Test
    void filesThatHaveAnEqualCopyAreAllLookedAtAtOnce() throws IOException {
        List<Path> files = files(LastGood.AT_ONCE + 1);
        LastGood before = LastGood.in(state, manifests, Dialect.STORED);
        LastGood after = LastGood.in(state, manifests, Dialect.STORED);
        for (Path file : files) {
            remember(before, file);
            remember(after, file);
        }
        assertThat(before.copy()).isFalse();
        assertThat(before.copy()).isTrue();
        assertThat(after.copy()).isTrue();
    }

    /** Otherwise a folder that cannot be written would be tried five times a second. */
    @Test
    void filesThatCannotBeCopiedWaitForTheNextScan() throws IOException {
        Files.createFile(state.resolve("last-good"));
        LastGood lastGood = LastGood.in(state, manifests, Dialect.STORED);
        for (Path file : files(LastGood.AT_ONCE + 1)) {
            remember(lastGood, file);
        }
        assertThat(lastGood.copy()).isTrue();
        assertThat(lastGood.names()).isEmpty();
    }

    @Test
    void aFileThatIsRemovedBeforeItWasCopiedHasNoCopy() throws IOException {
        LastGood lastGood = LastGood.in(state, manifests, Dialect.STORED);
        Path file = files(1).getFirst();
        remember(lastGood, file);
        lastGood.forget(String.valueOf(file.getFileName()));
        assertThat(lastGood.copy()).isTrue();
        assertThat(lastGood.names()).isEmpty();
    }

    private static void remember(LastGood lastGood, Path file) throws IOException {
        lastGood.remember(file, new ManifestFile.Reading.Done(FileIdentity.of(file), Decoded.NOTHING), Set.of());
    }

    private List<Path> files(int count) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(Files.writeString(manifests.resolve(i + ".yaml"), "kind: Service # " + i));
        }
        return files;
    }
}
