package io.dualstackd.kubeapi.snapshot.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.snapshot.SnapshotReader;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file is used once, by a process that it is for, or not at all. */
final class SnapshotFileTest {
    private static final Service WEB = Service.builder("ns", "web").build();

    @TempDir
    private Path folder;

    private SnapshotFile file(String origin) throws IOException {
        return SnapshotFile.in(folder.resolve("state"), origin);
    }

    private Path path() {
        return folder.resolve("state/cluster.snapshot");
    }

    private static void write(SnapshotFile file) {
        file.write(Optional.of(Duration.ZERO), writer -> {
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
    void thatOfAnotherOriginIsDeleted() throws Exception {
        write(file("a"));

        assertThat(file("b").take()).isEmpty();
        assertThat(path()).doesNotExist();
    }

    /** The clock may have been set back meanwhile. */
    @ParameterizedTest
    @ValueSource(longs = {-11, 11})
    void anOldOneIsDeleted(long minutes) throws Exception {
        write(file("a"));
        var _ = Files.setLastModifiedTime(path(), FileTime.from(Instant.now().minus(Duration.ofMinutes(minutes))));

        assertThat(file("a").take()).isEmpty();
        assertThat(path()).doesNotExist();
    }

    @Test
    void itsTimeIsThatOfTheLastContactWithTheServer() throws Exception {
        file("a").write(Optional.of(Duration.ofMinutes(9)), writer -> {});
        Instant contact = Files.getLastModifiedTime(path()).toInstant();
        assertThat(Duration.between(contact, Instant.now())).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));

        SnapshotFile next = file("a");
        next.take().orElseThrow().close();
        next.write(Optional.empty(), writer -> {});
        assertThat(Files.getLastModifiedTime(path()).toInstant()).isEqualTo(contact);
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
        file("a").write(Optional.of(Duration.ZERO), writer -> {
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

    /** An installed program is in jars, and an archive of its classes may have been made in a folder that is not on this machine. */
    @Test
    void thatOfAnotherProgramIsDeleted() throws Exception {
        Path jar = Files.createDirectory(folder.resolve("a folder, 100%+ für jars"))
                .resolve("program.jar");
        pack(jar, "one");
        new Installed(jar).write();
        assertThat(new Installed(jar).take()).isPresent();

        new Installed(jar).write();
        pack(jar, "two");
        assertThat(new Installed(jar).take()).isEmpty();
        assertThat(path()).doesNotExist();
    }

    private static void pack(Path jar, String version) throws IOException {
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> each : List.of(SnapshotFile.class, SnapshotFile.Content.class)) {
                String name = each.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (var in = each.getClassLoader().getResourceAsStream(name)) {
                    Objects.requireNonNull(in).transferTo(out);
                }
            }
            out.putNextEntry(new JarEntry(version));
        }
    }

    /** The file as a program sees it that is loaded from a jar. */
    private final class Installed extends URLClassLoader {
        private final Class<?> type;
        private final Object file;

        Installed(Path jar) throws Exception {
            super(new URL[] {jar.toUri().toURL()}, SnapshotFileTest.class.getClassLoader());
            type = loadClass(SnapshotFile.class.getName());
            file = type.getMethod("in", Path.class, String.class).invoke(null, folder.resolve("state"), "a");
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean own = name.startsWith(SnapshotFile.class.getName()) && findLoadedClass(name) == null;
            return own ? findClass(name) : super.loadClass(name, resolve);
        }

        @Override
        public URL getResource(String name) {
            URL own = findResource(name);
            return own == null ? super.getResource(name) : own;
        }

        void write() throws Exception {
            Class<?> content = loadClass(SnapshotFile.Content.class.getName());
            type.getMethod("write", Optional.class, content)
                    .invoke(
                            file,
                            Optional.of(Duration.ZERO),
                            Proxy.newProxyInstance(this, new Class<?>[] {content}, (proxy, method, args) -> null));
        }

        Optional<?> take() throws Exception {
            Optional<?> taken = (Optional<?>) type.getMethod("take").invoke(file);
            if (taken.isPresent()) {
                ((SnapshotReader) taken.get()).close();
            }
            return taken;
        }
    }
}
