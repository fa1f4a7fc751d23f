package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.pods.CniList;
import io.dualstackd.pods.PodCidrs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CniFileTest {
    private static final PodCidrs CIDRS = PodCidrs.parse("10.244.0.0/24,fd00:10:244::/64");

    @TempDir
    private Path folder;

    private Path path() {
        return folder.resolve("net.d/10-dualstackd.conflist");
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(folder.resolve("net.d"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void isWrittenWithItsFolderAndNothingElseStays() throws IOException {
        new CniFile(path()).write(CIDRS);
        assertThat(path()).content().contains("\"10.244.0.0/24\"", "\"fd00:10:244::/64\"", "\"::/0\"", "host-local");
        assertThat(names()).containsExactly("10-dualstackd.conflist");
    }

    @Test
    void isReplacedWhenTheNetworksChangeAndElseNotTouched() throws IOException {
        CniFile file = new CniFile(path());
        file.write(CIDRS);
        FileTime longAgo = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(path(), longAgo);
        file.write(CIDRS);
        assertThat(Files.getLastModifiedTime(path())).isEqualTo(longAgo);
        file.write(PodCidrs.parse("10.244.7.0/24"));
        assertThat(path()).content().contains("10.244.7.0/24").doesNotContain("fd00");
    }

    @Test
    void aNodeOfOneFamilyHasThatFamilyOnly() throws IOException {
        new CniFile(path()).write(PodCidrs.parse("fd00:10:244::/64"));
        assertThat(path())
                .content()
                .contains("\"fd00:10:244::/64\"", "\"::/0\"")
                .doesNotContain("10.244.", "0.0.0.0");
    }

    @Test
    void doesNotOverwriteForeignFile() throws IOException {
        Files.createDirectories(folder.resolve("net.d"));
        for (String text : List.of("{\"name\": \"dualstackd\", \"plugins\": []}", "", "nonsense", "[true]")) {
            Files.writeString(path(), text);
            assertThatThrownBy(() -> new CniFile(path()).write(CIDRS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(path().toString())
                    .hasMessageContaining("dualstackd did not write this file");
            assertThat(path()).hasContent(text);
        }
    }

    /** The messages of the JDK name the path and nothing else. */
    @Test
    void reportsPathAndReasonOfUnusableFolder() throws IOException {
        Files.writeString(folder.resolve("net.d"), "");
        assertThatThrownBy(() -> new CniFile(path()).write(CIDRS))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("--write-cni: " + path() + " cannot be read: Not a directory");
        Path readOnly = Path.of("/proc/self/net.d/10-dualstackd.conflist");
        assertThatThrownBy(() -> new CniFile(readOnly).write(CIDRS))
                .isInstanceOf(IOException.class)
                .hasMessageMatching("--write-cni: " + readOnly + " cannot be written: .*[a-z].*")
                .hasMessageNotContaining(".new");
        Path full = Path.of("/dev/full/10-dualstackd.conflist");
        assertThatThrownBy(() -> new CniFile(full).write(CIDRS)).hasMessageContaining("Not a directory");
    }

    @Test
    void reportsOutcome() throws IOException {
        CniFile file = new CniFile(path());
        file.write(CIDRS);
        assertThat(file.note(CIDRS)).isEmpty();
        Files.writeString(path(), "{}");
        assertThat(file.note(CIDRS))
                .hasValueSatisfying(note -> assertThat(note).contains("no longer what dualstackd wrote"));
        assertThat(file.isGone()).isFalse();
        Files.delete(path());
        assertThat(file.note(CIDRS)).isEmpty();
        assertThat(file.isGone()).isTrue();
    }

    @Test
    void aListOfOurOwnIsKnown() {
        assertThat(CniList.isOurs(CniList.text(CIDRS))).isTrue();
        assertThat(CniList.isOurs(CniList.text(CIDRS).replace("true", "false"))).isFalse();
    }
}
