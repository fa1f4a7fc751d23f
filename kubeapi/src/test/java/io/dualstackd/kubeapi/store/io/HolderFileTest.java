package io.dualstackd.kubeapi.store.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HolderFileTest {
    @TempDir
    private Path state;

    private HolderFile file() {
        return new HolderFile(Optional.of(state), HolderFile.NAMES);
    }

    @Test
    void namesOfFilesMayHaveAnyCharacter() throws Exception {
        Map<String, String> holders = Map.of(
                "Service default/a", "plain.yaml",
                "Service default/b", "with\ttab.yaml",
                "Service default/c", "two\nlines.yaml",
                "Service default/d", "back\\slash\\t.yaml",
                "Service default/e", "carriage\rreturn.yaml");
        file().write(holders);
        assertThat(Files.readAllLines(state.resolve(HolderFile.NAMES))).hasSize(5);
        assertThat(file().read()).isEqualTo(holders);
    }

    @Test
    void withoutConflictsThereIsNoFile() {
        file().write(Map.of("Service default/a", "a.yaml"));
        file().write(Map.of());
        assertThat(state).isEmptyDirectory();
        assertThat(file().read()).isEmpty();
    }
}
