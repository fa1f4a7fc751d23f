package io.dualstackd.pods.cri.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.cri.v1.VersionResponse;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where there is no runtime: the error says what is wrong with the socket. */
@Tag("kernel")
final class MissingRuntimeTest {
    private static final RuntimeTimeouts TIMEOUT =
            new RuntimeTimeouts(Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(2));

    @TempDir
    private Path folder;

    private Path socket;

    @BeforeEach
    void name() {
        socket = folder.resolve("runtime.sock");
    }

    @Test
    void socketVanishesAndReturns() throws Exception {
        try (RuntimeClient client = client()) {
            assertThat(client.version()).isEqualTo(new RuntimeResult.Unreachable<>(at() + " does not exist"));
            for (int round = 0; round < 3; round++) {
                try (FakeRuntime ignored =
                        FakeRuntime.listening(socket).answers("Version", r -> VersionResponse.getDefaultInstance())) {
                    await().until(() -> client.version() instanceof RuntimeResult.Ok);
                }
                await().until(() -> client.version().equals(new RuntimeResult.Unreachable<>(at() + " does not exist")));
            }
        }
    }

    @Test
    void noSocketAtAll() throws IOException {
        Files.writeString(socket, "a file");
        assertUnreachable("is not a socket");
        Files.delete(socket);
        Files.createDirectory(socket);
        assertUnreachable("is not a socket");
        Files.delete(socket);
        Files.createSymbolicLink(socket, Path.of("nowhere"));
        assertUnreachable("leads nowhere");
        Files.delete(socket);
        Files.writeString(folder.resolve("file"), "");
        socket = folder.resolve("file").resolve("runtime.sock");
        assertUnreachable("does not exist");
    }

    @Test
    void socketWithoutListener() throws IOException {
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(socket))
                .close();
        assertUnreachable("cannot be reached: ");
    }

    /** Root may open everything, so a JVM without that privilege asks. */
    @Test
    void noPermission() throws Exception {
        try (RawSocket ignored = new RawSocket(socket, RawSocket.SILENT)) {
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("---------"));

            assertThat(asked(
                            Path.of(System.getProperty("java.io.tmpdir")),
                            "setpriv",
                            "--bounding-set=-all",
                            "--inh-caps=-all"))
                    .startsWith("Unreachable[reason=" + at() + " cannot be reached: ")
                    .contains("Permission denied");
        }
    }

    /** Netty's native library is unpacked into the temporary directory; where that may hold no programs, the JDK's sockets serve. */
    @Test
    void noTemporaryDirectoryForPrograms() throws Exception {
        Path noexec = Files.createDirectory(folder.resolve("noexec"));
        try (FakeRuntime ignored = FakeRuntime.listening(socket)
                .answers(
                        "Version",
                        r -> VersionResponse.newBuilder()
                                .setRuntimeName("containerd")
                                .build())) {
            assertThat(asked(
                            noexec,
                            "unshare",
                            "--mount",
                            "sh",
                            "-c",
                            "mount -t tmpfs -o noexec none " + noexec + " && exec \"$@\"",
                            "sh"))
                    .startsWith("Ok[value=RuntimeVersion[name=containerd");
        }
    }

    /** What a JVM of its own prints when it asks for the version. */
    private String asked(Path temporary, String... under) throws Exception {
        List<String> command = new ArrayList<>(List.of(under));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.io.tmpdir=" + temporary,
                // This module has no binding of SLF4J, and what that prints is no answer.
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                RuntimeVersionMain.class.getName(),
                socket.toString()));
        Process asking = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(asking.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(asking.waitFor()).as(output).isZero();
        assertThat(output.lines()).hasSize(1);
        return output.strip();
    }

    private void assertUnreachable(String part) {
        try (RuntimeClient client = client()) {
            assertThat(client.version())
                    .isInstanceOfSatisfying(
                            RuntimeResult.Unreachable.class,
                            gone -> assertThat(gone.reason()).startsWith(at() + " " + part));
        }
    }

    private RuntimeClient client() {
        return RuntimeClient.open(new RuntimeEndpoint(socket.toString()), TIMEOUT);
    }

    private String at() {
        return "unix://" + socket;
    }
}
