package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The message for a JVM that was started without native access, and whether its advice works. */
@Tag("kernel")
class NativeDoorTest {
    @Test
    void missingPermissionPrintsOneLineOfAdvice() throws Exception {
        String output = ChildJvm.runPlain(
                List.of(),
                List.of("--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=allow"),
                Child.class);
        assertThat(output.lines().toList())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("cannot call libc from this JVM (")
                        .contains("--enable-native-access=ALL-UNNAMED"));
    }

    @Test
    void temporaryDirectoryWithoutExecution(@TempDir Path directory) throws Exception {
        Path tmp = Files.createDirectory(directory.resolve("tmp"));
        // A mount of its own in a mount namespace of its own: it ends with the child. The child works in there, because
        // the
        // library would otherwise be unpacked into the working directory.
        List<String> noexec = List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o noexec none " + tmp + " && cd " + tmp + " && exec \"$@\"",
                "sh");
        List<String> options = List.of("-Djava.io.tmpdir=" + tmp);
        assertThat(ChildJvm.run(noexec, options, Child.class).lines().toList())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("cannot call libc from this JVM (")
                        .contains("-Djffi.boot.library.path=DIRECTORY"));

        Path unpacked = Files.createDirectory(directory.resolve("unpacked"));
        unpackJffi(unpacked);
        List<String> remedied = List.of("-Djava.io.tmpdir=" + tmp, "-Djffi.boot.library.path=" + unpacked);
        assertThat(ChildJvm.run(noexec, remedied, Child.class)).isEqualTo("works\nworks\n");
    }

    private static void unpackJffi(Path into) throws IOException {
        String name = "libjffi-1.2.so";
        try (InputStream library =
                Objects.requireNonNull(NativeDoorTest.class.getResourceAsStream("/jni/" + platform() + "/" + name))) {
            Files.copy(library, into.resolve(name));
        }
    }

    private static String platform() {
        String cpu = System.getProperty("os.arch");
        return (cpu.equals("amd64") ? "x86_64" : cpu) + "-Linux";
    }

    /** Tries twice: the second failure must read like the first. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws IOException {
            for (int i = 0; i < 2; i++) {
                try (NetNs ns = NetNs.current()) {
                    System.out.println(ns.id().startsWith("net:[") ? "works" : ns.id());
                } catch (NativeAccessException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }
}
