package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.pods.CniList;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file is written as soon as it can be, and again when it is gone. */
final class CniWriterTest {
    private static final PodCidrs CIDRS = PodCidrs.parse("10.244.0.0/24,fd00:10:244::/64");
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private final Supervisor supervisor = Supervisor.none();

    private Path path() {
        return folder.resolve("net.d/10-dualstackd.conflist");
    }

    private CniWriter start(Optional<CniRecord> record) {
        return CniWriter.start(path(), CIDRS, record, supervisor);
    }

    private void written(CniWriter writer) {
        await().atMost(TIMEOUT).until(() -> writer.error().isEmpty());
        assertThat(path()).hasContent(CniList.text(CIDRS));
        assertThat(writer.note()).isEmpty();
    }

    @Test
    void isWrittenAtOnceWhereThatIsPossible() {
        try (CniWriter writer = start(Optional.empty())) {
            assertThat(writer.error()).isEmpty();
            assertThat(path()).hasContent(CniList.text(CIDRS));
            assertThat(supervisor.states())
                    .extracting(ComponentState::component)
                    .containsExactly(Component.CNI);
        }
        assertThat(supervisor.states()).isEmpty();
        assertThat(path()).exists();
    }

    @Test
    void retriesToCreateFolder() throws IOException {
        Path inTheWay = Files.writeString(folder.resolve("net.d"), "");
        try (CniWriter writer = start(Optional.empty())) {
            assertThat(writer.error())
                    .hasValueSatisfying(text -> assertThat(text)
                            .startsWith("--write-cni: " + path() + " cannot be read: Not a directory; ")
                            .contains("tried again"));
            Files.delete(inTheWay);
            written(writer);
        }
    }

    @Test
    void nothingIsWrittenThatCleanupWouldNotFind() throws IOException {
        Path inTheWay = Files.writeString(folder.resolve("state"), "");
        try (CniWriter writer = start(Optional.of(CniRecord.in(inTheWay)))) {
            assertThat(writer.error())
                    .hasValueSatisfying(text -> assertThat(text)
                            .startsWith("--write-cni: " + inTheWay.resolve("cni-files")
                                    + ", which keeps the path for cleanup, cannot be written: "));
            assertThat(path()).doesNotExist();
            Files.delete(inTheWay);
            written(writer);
        }
        assertThat(inTheWay.resolve("cni-files")).hasContent(path() + "\n");
    }

    @Test
    @Tag("slow")
    void removedFileIsWrittenAgain() throws IOException {
        try (CniWriter writer = start(Optional.empty())) {
            Files.delete(path());
            // The check may have been just before.
            writer.error().ifPresent(text -> assertThat(text).contains(path() + " is gone"));
            written(writer);
        }
    }

    @Test
    @Tag("slow")
    void changedFileIsReportedAndKept() throws IOException {
        try (CniWriter writer = start(Optional.empty())) {
            Files.writeString(path(), "{}");
            assertThat(writer.note())
                    .hasValueSatisfying(note -> assertThat(note).contains("no longer what dualstackd wrote"));
            assertThat(writer.error()).isEmpty();
            await().pollDelay(CniWriter.EVERY.plusSeconds(2))
                    .atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(path()).hasContent("{}"));
        }
    }

    /** The file came after the check that ends a start. */
    @Test
    void keepsFileThatAnotherProgramCreatedMeanwhile() throws IOException {
        Files.createDirectories(path().getParent());
        Files.writeString(path(), "{}");
        try (CniWriter writer = start(Optional.empty())) {
            assertThat(writer.error())
                    .hasValueSatisfying(text -> assertThat(text).contains("dualstackd did not write this file"));
            assertThat(path()).hasContent("{}");
            Files.delete(path());
            written(writer);
        }
    }
}
