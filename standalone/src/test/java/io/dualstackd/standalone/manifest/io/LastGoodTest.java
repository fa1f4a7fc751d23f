package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LastGoodTest {
    @TempDir
    private Path state;

    @TempDir
    private Path manifests;

    @Test
    void manyFilesAreCopiedInParts() throws IOException {
        LastGood lastGood = LastGood.in(state, manifests);
        for (Path file : files(2 * LastGood.AT_ONCE + 1)) {
            lastGood.remember(file, FileIdentity.of(file));
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
        LastGood before = LastGood.in(state, manifests);
        LastGood after = LastGood.in(state, manifests);
        for (Path file : files) {
            before.remember(file, FileIdentity.of(file));
            after.remember(file, FileIdentity.of(file));
        }
        assertThat(before.copy()).isFalse();
        assertThat(before.copy()).isTrue();
        assertThat(after.copy()).isTrue();
    }

    /** Otherwise a folder that cannot be written would be tried five times a second. */
    @Test
    void filesThatCannotBeCopiedWaitForTheNextScan() throws IOException {
        Files.createFile(state.resolve("last-good"));
        LastGood lastGood = LastGood.in(state, manifests);
        for (Path file : files(LastGood.AT_ONCE + 1)) {
            lastGood.remember(file, FileIdentity.of(file));
        }
        assertThat(lastGood.copy()).isTrue();
        assertThat(lastGood.names()).isEmpty();
    }

    @Test
    void aFileThatIsRemovedBeforeItWasCopiedHasNoCopy() throws IOException {
        LastGood lastGood = LastGood.in(state, manifests);
        Path file = files(1).getFirst();
        lastGood.remember(file, FileIdentity.of(file));
        lastGood.forget(String.valueOf(file.getFileName()));
        assertThat(lastGood.copy()).isTrue();
        assertThat(lastGood.names()).isEmpty();
    }

    private List<Path> files(int count) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(Files.writeString(manifests.resolve(i + ".yaml"), "kind: Service # " + i));
        }
        return files;
    }
}
