package io.dualstackd.pods.cri.io;

import io.dualstackd.cri.v1.VersionResponse;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A client and the fake runtime it talks to. */
abstract class RuntimeClientFixture {
    static final VersionResponse CONTAINERD = VersionResponse.newBuilder()
            .setVersion("0.1.0")
            .setRuntimeName("containerd")
            .setRuntimeVersion("1.6.20")
            .setRuntimeApiVersion("v1")
            .build();
    static final RuntimeTimeouts TIMEOUT =
            new RuntimeTimeouts(Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(2));

    @TempDir
    private Path folder;

    Path socket;
    FakeRuntime runtime;
    RuntimeClient client;

    @BeforeEach
    void start() throws IOException {
        socket = folder.resolve("runtime.sock");
        runtime = FakeRuntime.listening(socket).answers("Version", request -> CONTAINERD);
        client = RuntimeClient.open(RuntimeEndpoint.parse(socket.toString()), TIMEOUT);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        runtime.close();
    }
}
