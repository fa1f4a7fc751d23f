package io.dualstackd.kubeapi.snapshot.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.snapshot.SnapshotReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file is used once, by a process that it is for, or not at all. */
final class SnapshotFileTest {
    private static final Service WEB = Service.builder("ns", "web").build();

    @TempDir
    private Path folder;

    private SnapshotFile file(String origin) {
        return SnapshotFile.in(folder.resolve("state"), origin);
    }

    private Path path() {
        return folder.resolve("state/cluster.snapshot");
    }

    private static void write(SnapshotFile file) {
        file.write(writer -> {
            writer.begin("/services", "7");
            writer.put(WEB, 3);
            writer.end();
        });
    }

    @Test
    void isReadOnce() throws Exception {
        write(file("a"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
                .isEqualTo("rw-------");

        List<ApiObject> read = new ArrayList<>();
        try (SnapshotReader reader = file("a").take().orElseThrow()) {
            assertThat(path()).doesNotExist();
            assertThat(reader.next()).contains(new SnapshotReader.Resource("/services", "7"));
            reader.objects((object, version) -> read.add(object));
        }
        assertThat(read).containsExactly(WEB);
        assertThat(file("a").take()).isEmpty();
    }

    @Test
    void thatOfAnotherOriginIsDeleted() {
        write(file("a"));

        assertThat(file("b").take()).isEmpty();
        assertThat(path()).doesNotExist();
    }

    @Test
    void aDamagedOneIsDeleted() throws Exception {
        write(file("a"));
        byte[] bytes = Files.readAllBytes(path());
        bytes[bytes.length / 2]++;
        Files.write(path(), bytes);

        assertThat(file("a").take()).isEmpty();
        assertThat(path()).doesNotExist();
    }

    @Test
    void thatOfAnotherFormatIsDeleted() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(path(), "something else that is long enough");

        assertThat(file("a").take()).isEmpty();
        assertThat(path()).doesNotExist();
    }

    @Test
    void theFormerOneIsReplacedAsAWhole() throws Exception {
        write(file("a"));
        byte[] former = Files.readAllBytes(path());
        file("a").write(writer -> {
            writer.begin("/services", "8");
            throw new IOException("disk full");
        });

        assertThat(Files.readAllBytes(path())).isEqualTo(former);
        try (var files = Files.list(folder.resolve("state"))) {
            assertThat(files).containsExactly(path());
        }
    }

    @Test
    void isRemoved() throws Exception {
        SnapshotFile.remove(folder.resolve("state"));
        write(file("a"));
        SnapshotFile.remove(folder.resolve("state"));

        assertThat(path()).doesNotExist();
    }
}
