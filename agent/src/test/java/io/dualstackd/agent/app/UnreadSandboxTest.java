package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.log.CapturedLog;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxMetadata;
import io.dualstackd.cri.v1.PodSandboxState;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.io.FakeRuntime;
import io.dualstackd.pods.io.CriPods;
import io.dualstackd.pods.io.PodWatcher;
import io.dualstackd.pods.io.SavedPodsFile;
import io.dualstackd.supervision.io.Supervisor;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is logged about sandboxes of which the runtime does not give the status. */
final class UnreadSandboxTest {
    @TempDir
    private Path folder;

    @Test
    void isLoggedOnce() throws Exception {
        Path socket = folder.resolve("s");
        ListPodSandboxResponse two = ListPodSandboxResponse.newBuilder()
                .addItems(sandbox("web"))
                .addItems(sandbox("dns"))
                .build();
        try (CapturedLog log = new CapturedLog("pods", Level.INFO);
                FakeRuntime runtime = FakeRuntime.listening(socket)
                        .answers("ListPodSandbox", request -> two)
                        .answers("ListContainers", request -> ListContainersResponse.getDefaultInstance())
                        .answers(
                                "PodSandboxStatus",
                                request -> Status.INTERNAL.withDescription("no network namespace"));
                PodWatcher watcher = PodWatcher.start(
                        CriPods.at(RuntimeEndpoint.parse(socket.toString()), Supervisor.none()),
                        () -> new NodeNames(IpFamily.IPV4, List.of()),
                        () -> PodCidrs.NONE,
                        (before, after, first) -> {},
                        SavedPodsFile.none(),
                        Supervisor.none())) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> Collections.frequency(runtime.calls(), "PodSandboxStatus") >= 4);
            assertThat(log.messages())
                    .filteredOn(line -> line.startsWith("the status of a sandbox"))
                    .singleElement()
                    .asString()
                    .contains("no network namespace");
            runtime.answers("PodSandboxStatus", request -> Status.NOT_FOUND);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> log.messages().contains("the status of all sandboxes can be read again"));
            assertThat(watcher.pods().all()).hasSize(2);
        }
    }

    private static PodSandbox sandbox(String name) {
        return PodSandbox.newBuilder()
                .setId("id-" + name)
                .setMetadata(PodSandboxMetadata.newBuilder()
                        .setName(name)
                        .setNamespace("shop")
                        .setUid("uid-" + name))
                .setState(PodSandboxState.SANDBOX_READY)
                .build();
    }
}
