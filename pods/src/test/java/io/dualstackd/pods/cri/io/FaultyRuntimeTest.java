package io.dualstackd.pods.cri.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.VersionResponse;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import io.dualstackd.pods.cri.RuntimeVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runtimes that hang, talk garbage, hang up or are not there: every question is answered, soon, with a kind and a sentence. */
@Tag("slow")
final class FaultyRuntimeTest {
    private static final RuntimeTimeouts SHORT =
            new RuntimeTimeouts(Duration.ofMillis(400), Duration.ofMillis(1), Duration.ofMillis(2));
    private static final RuntimeTimeouts LONG =
            new RuntimeTimeouts(Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(2));

    @TempDir
    private Path folder;

    private Path socket;

    @BeforeEach
    void name() {
        socket = folder.resolve("runtime.sock");
    }

    @Test
    void acceptsAndNeverAnswers() throws IOException {
        try (RawSocket ignored = new RawSocket(socket, RawSocket.SILENT);
                RuntimeClient client = client(SHORT)) {
            assertThat(client.version())
                    .isEqualTo(new RuntimeResult.Unreachable<>(at() + " did not answer Version within 400 ms"));
        }
    }

    /** While the wait for the next attempt runs, requests fail with the reason of the last one, without contacting the runtime. */
    @Test
    void waitsBetweenAttempts() throws IOException {
        RuntimeTimeouts patient = new RuntimeTimeouts(Duration.ofMillis(400), Duration.ofHours(1), Duration.ofHours(2));
        try (RawSocket listener = new RawSocket(socket, RawSocket.SILENT);
                RuntimeClient client = client(patient)) {
            RuntimeResult<RuntimeVersion> first = client.version();
            for (int i = 0; i < 1000; i++) {
                assertThat(client.version()).isEqualTo(first);
            }
            await().until(() -> listener.accepted() > 0 && listener.connected() == 0);
            assertThat(listener.accepted()).isEqualTo(1);
        }
    }

    @Test
    void answersOldHttp() throws IOException {
        byte[] answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (RawSocket ignored = new RawSocket(socket, RawSocket.saying(answer));
                RuntimeClient client = client(LONG)) {
            assertThat(client.version())
                    .isInstanceOfSatisfying(
                            RuntimeResult.Broken.class,
                            broken -> assertThat(broken.reason())
                                    .startsWith(at() + " does not speak the runtime interface, asked for Version: ")
                                    .contains("485454502f"));
        }
    }

    @Test
    void answersRandomBytes() throws IOException {
        Random random = new Random(20260101);
        RuntimeTimeouts brief = new RuntimeTimeouts(Duration.ofMillis(100), Duration.ofMillis(1), Duration.ofMillis(2));
        for (int round = 0; round < 60; round++) {
            byte[] noise = new byte[1 + random.nextInt(2000)];
            random.nextBytes(noise);
            if (round % 2 == 0) {
                // As if it were HTTP/2: a frame of settings first, then noise with a small length before it.
                ByteBuffer.wrap(noise).put(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}, 0, Math.min(9, noise.length));
            }
            try (RawSocket ignored = new RawSocket(socket, RawSocket.saying(noise));
                    RuntimeClient client = client(brief)) {
                assertThat(client.version())
                        .as("round " + round)
                        .isInstanceOfAny(RuntimeResult.Broken.class, RuntimeResult.Unreachable.class);
            }
        }
    }

    @Test
    void hangsUpAtOnce() throws IOException {
        try (RawSocket ignored = new RawSocket(socket, connection -> {});
                RuntimeClient client = client(LONG)) {
            assertThat(client.version())
                    .isInstanceOfSatisfying(
                            RuntimeResult.Unreachable.class,
                            gone -> assertThat(gone.reason()).startsWith(at() + " cannot be reached: "));
        }
    }

    /** After every single byte of its answers; and once the fault is over, the next question is answered. */
    @Test
    void hangsUpInTheMiddle() throws Exception {
        Path real = folder.resolve("real.sock");
        try (FakeRuntime runtime = FakeRuntime.listening(real)
                .answers(
                        "Version",
                        r -> VersionResponse.newBuilder()
                                .setRuntimeName("containerd")
                                .build())) {
            Set<Class<?>> kinds = new HashSet<>();
            for (int bytes = 0; bytes < 200; bytes++) {
                try (RuntimeClient client = client(LONG)) {
                    try (RawSocket ignored = new RawSocket(socket, Relay.cutting(real, bytes))) {
                        RuntimeResult<RuntimeVersion> runtimeResult = client.version();
                        kinds.add(runtimeResult.getClass());
                        assertThat(runtimeResult)
                                .as("cut after " + bytes)
                                .isInstanceOfAny(
                                        RuntimeResult.Ok.class,
                                        RuntimeResult.Broken.class,
                                        RuntimeResult.Unreachable.class);
                    }
                    try (RawSocket ignored = new RawSocket(socket, Relay.cutting(real, Integer.MAX_VALUE))) {
                        await().pollDelay(Duration.ZERO)
                                .pollInterval(Duration.ofMillis(2))
                                .until(() -> client.version() instanceof RuntimeResult.Ok);
                    }
                }
            }
            assertThat(kinds).contains(RuntimeResult.Ok.class, RuntimeResult.Unreachable.class);
        }
    }

    @Test
    void answersByteByByte() throws Exception {
        Path real = folder.resolve("real.sock");
        try (FakeRuntime ignored = FakeRuntime.listening(real).answers("ListPodSandbox", r -> sandboxes(100_000));
                RawSocket relay = new RawSocket(socket, Relay.dripping(real, Duration.ofMillis(1)));
                RuntimeClient client = client(SHORT)) {
            assertThat(client.sandboxes())
                    .isEqualTo(new RuntimeResult.Unreachable<>(at() + " did not answer ListPodSandbox within 400 ms"));
            await().until(() -> relay.accepted() > 0);
            assertThat(relay.accepted()).isEqualTo(1);
        }
    }

    /** The message is refused by its announced length, before it is read; the conversation goes on. */
    @Test
    void answersTooMuch() throws Exception {
        try (FakeRuntime runtime = FakeRuntime.listening(socket)
                        .answers("ListPodSandbox", r -> sandboxes(17 << 20))
                        .answers("Version", r -> VersionResponse.getDefaultInstance());
                RuntimeClient client = client(LONG)) {
            assertThat(client.sandboxes())
                    .isInstanceOfSatisfying(
                            RuntimeResult.Broken.class,
                            broken -> assertThat(broken.reason())
                                    .startsWith(at() + " failed in ListPodSandbox: RESOURCE_EXHAUSTED ")
                                    .contains("16777216"));
            assertThat(client.version()).isInstanceOf(RuntimeResult.Ok.class);

            runtime.answers("ListPodSandbox", r -> sandboxes(15 << 20));
            assertThat(client.sandboxes()).isInstanceOf(RuntimeResult.Ok.class);
        }
    }

    @Test
    void answersWhatIsNoList() throws Exception {
        ListPodSandboxResponse damaged = ListPodSandboxResponse.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                1,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(new byte[] {10, 100}))
                                        .build())
                        .build())
                .build();
        try (FakeRuntime ignored = FakeRuntime.listening(socket).answers("ListPodSandbox", r -> damaged);
                RuntimeClient client = client(LONG)) {
            assertThat(client.sandboxes())
                    .isInstanceOfSatisfying(
                            RuntimeResult.Broken.class,
                            broken -> assertThat(broken.reason())
                                    .startsWith(at() + " failed in ListPodSandbox: INTERNAL this is no list: "));
        }
    }

    /** Failures of every kind, many times: neither threads nor file descriptors are left. */
    @Test
    void nothingIsLeftBehind() throws Exception {
        roundOfFaults();
        Set<String> threads = threads();
        long files = openFiles();

        for (int round = 0; round < 10; round++) {
            roundOfFaults();
        }

        await().untilAsserted(() -> {
            assertThat(threads()).isSubsetOf(threads);
            assertThat(openFiles()).isLessThanOrEqualTo(files);
        });
    }

    /** However many questions fail, the client has one thread and at most one connection. */
    @Test
    void oneThreadAndOneConnection() throws Exception {
        awaitNoThread();
        try (RawSocket listener = new RawSocket(socket, RawSocket.saying(new byte[100]));
                RuntimeClient client = client(LONG)) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.version()).isInstanceOf(RuntimeResult.Failure.class);
                assertThat(Thread.getAllStackTraces().keySet().stream()
                                .map(Thread::getName)
                                .filter(name -> name.equals("cri") || name.startsWith("grpc")))
                        .containsExactly("cri");
            }
            await().until(() -> listener.connected() == 0);
        }
        awaitNoThread();
    }

    /** Closing waits for the loop to be done; its thread still has its last steps before it. */
    private static void awaitNoThread() {
        await().untilAsserted(() -> assertThat(threads()).doesNotContain("cri"));
    }

    private void roundOfFaults() throws Exception {
        RuntimeTimeouts runtimeTimeouts =
                new RuntimeTimeouts(Duration.ofMillis(50), Duration.ofNanos(1), Duration.ofMillis(1));
        for (RawSocket.Habit habit : List.<RawSocket.Habit>of(
                RawSocket.SILENT,
                RawSocket.saying("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
                c -> {})) {
            try (RawSocket listener = new RawSocket(socket, habit);
                    RuntimeClient client = client(runtimeTimeouts)) {
                for (int i = 0; i < 5; i++) {
                    assertThat(client.sandboxes()).isInstanceOf(RuntimeResult.Failure.class);
                    client.events(new RuntimeEventsTest.Recorder());
                }
                client.close();
                await().until(() -> listener.connected() == 0);
            }
        }
    }

    private static ListPodSandboxResponse sandboxes(int bytes) {
        return ListPodSandboxResponse.newBuilder()
                .addItems(PodSandbox.newBuilder().setId("s").putLabels("k", "v".repeat(bytes)))
                .build();
    }

    private RuntimeClient client(RuntimeTimeouts runtimeTimeouts) {
        return RuntimeClient.open(new RuntimeEndpoint(socket.toString()), runtimeTimeouts);
    }

    private String at() {
        return "unix://" + socket;
    }

    private static Set<String> threads() {
        Set<String> names = new HashSet<>();
        Thread.getAllStackTraces().keySet().forEach(t -> names.add(t.getName()));
        names.remove("awaitility-thread");
        return names;
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
