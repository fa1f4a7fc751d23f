package io.dualstackd.pods.cri.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.cri.v1.Container;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.PodIP;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxNetworkStatus;
import io.dualstackd.cri.v1.PodSandboxStatus;
import io.dualstackd.cri.v1.PodSandboxStatusRequest;
import io.dualstackd.cri.v1.PodSandboxStatusResponse;
import io.dualstackd.cri.v1.RuntimeCondition;
import io.dualstackd.cri.v1.RuntimeStatus;
import io.dualstackd.cri.v1.StatusResponse;
import io.dualstackd.cri.v1.UpdateRuntimeConfigRequest;
import io.dualstackd.cri.v1.UpdateRuntimeConfigResponse;
import io.dualstackd.cri.v1.VersionRequest;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.pods.cri.SandboxReport;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Calls to a working runtime, and its errors. */
final class RuntimeClientTest extends RuntimeClientFixture {
    @Test
    void version() {
        runtime.answers("Version", request -> {
            assertThat(((VersionRequest) request).getVersion()).isEqualTo("0.1.0");
            return CONTAINERD;
        });

        assertThat(client.version())
                .isEqualTo(new RuntimeResult.Ok<>(new RuntimeVersion("containerd", "1.6.20", "v1")));
    }

    @Test
    void everyOtherQuestion() {
        runtime.answers(
                        "Status",
                        request -> StatusResponse.newBuilder()
                                .setStatus(RuntimeStatus.newBuilder()
                                        .addConditions(RuntimeCondition.newBuilder()
                                                .setType("NetworkReady")
                                                .setMessage("no network config found")))
                                .build())
                .answers(
                        "ListPodSandbox",
                        request -> ListPodSandboxResponse.newBuilder()
                                .addItems(PodSandbox.newBuilder().setId("s1"))
                                .addItems(PodSandbox.newBuilder().setId("s2"))
                                .build())
                .answers(
                        "ListContainers",
                        request -> ListContainersResponse.newBuilder()
                                .addContainers(
                                        Container.newBuilder().setId("c1").setPodSandboxId("s1"))
                                .build());

        assertThat(ok(client.conditions()).network().message()).isEqualTo("no network config found");
        assertThat(ok(client.sandboxes())).extracting(s -> s.id()).containsExactly("s1", "s2");
        assertThat(ok(client.containers())).extracting(c -> c.sandboxId()).containsExactly("s1");
    }

    @Test
    void aSandboxOrNone() {
        runtime.answers("PodSandboxStatus", request -> {
            String id = ((PodSandboxStatusRequest) request).getPodSandboxId();
            return id.equals("s1")
                    ? PodSandboxStatusResponse.newBuilder()
                            .setStatus(PodSandboxStatus.newBuilder()
                                    .setId(id)
                                    .setNetwork(PodSandboxNetworkStatus.newBuilder()
                                            .setIp("10.244.1.3")
                                            .addAdditionalIps(PodIP.newBuilder().setIp("fd00:244:1::3"))))
                            .build()
                    : Status.NOT_FOUND.withDescription("no such sandbox: " + id);
        });

        assertThat(ok(client.sandbox("s1")).status().orElseThrow().network())
                .contains(new SandboxReport.Network("10.244.1.3", List.of("fd00:244:1::3")));
        assertThat(client.sandbox("s2")).isEqualTo(new RuntimeResult.NotFound<>("no such sandbox: s2"));
    }

    @Test
    void anAnswerWithoutStatusIsNoEndOfASandbox() {
        runtime.answers("PodSandboxStatus", request -> PodSandboxStatusResponse.getDefaultInstance());
        assertThat(client.sandbox("s1"))
                .isInstanceOfSatisfying(
                        RuntimeResult.Broken.class,
                        broken -> assertThat(broken.reason()).endsWith(" answered PodSandboxStatus without a status"));
    }

    @Test
    void podCidrsOfBothFamilies() {
        List<String> calls = new CopyOnWriteArrayList<>();
        runtime.answers("UpdateRuntimeConfig", request -> {
            calls.add(((UpdateRuntimeConfigRequest) request)
                    .getRuntimeConfig()
                    .getNetworkConfig()
                    .getPodCidr());
            return UpdateRuntimeConfigResponse.getDefaultInstance();
        });
        List<IpPrefix> cidrs = List.of(IpPrefix.parse("10.244.1.0/24"), IpPrefix.parse("fd00:244:1::/64"));

        assertThat(client.tellPodCidrs(cidrs)).isEqualTo(new RuntimeResult.Ok<>(cidrs));
        assertThat(calls).containsExactly("10.244.1.0/24,fd00:244:1::/64");
    }

    /** What the runtime itself refuses is no reason to leave it: the connection stays. */
    @Test
    void errorsOfTheRuntimeAreLoggedOnce() {
        for (Status status : List.of(
                Status.UNKNOWN.withDescription("server is not initialized yet\nsecond line"),
                Status.INTERNAL.withDescription("x".repeat(1000)),
                Status.FAILED_PRECONDITION,
                Status.PERMISSION_DENIED.withDescription("no"))) {
            runtime.answers("ListPodSandbox", request -> status);

            assertThat(client.sandboxes())
                    .isInstanceOfSatisfying(
                            RuntimeResult.Broken.class,
                            broken -> assertThat(broken.reason())
                                    .startsWith("unix://" + socket + " failed in ListPodSandbox: " + status.getCode())
                                    .hasLineCount(1)
                                    .hasSizeLessThan(500));
            assertThat(client.version()).isInstanceOf(RuntimeResult.Ok.class);
        }
    }

    @Test
    void unimplementedCallIsMadeOnce() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(client.conditions()).isEqualTo(new RuntimeResult.Unimplemented<>());
        }
        assertThat(runtime.calls()).containsExactly("Status");

        // Another runtime behind the same socket may know it.
        runtime.close();
        runtime = FakeRuntime.listening(socket)
                .answers("Version", request -> CONTAINERD)
                .answers("Status", request -> StatusResponse.getDefaultInstance());
        await().until(() -> client.conditions() instanceof RuntimeResult.Ok);
    }

    @Test
    void aRuntimeThatWasRestartedUnseenIsNoticed() throws Exception {
        assertThat(client.connections()).isZero();
        ok(client.version());
        ok(client.version());
        assertThat(client.connections()).isEqualTo(1);
        runtime.close();
        runtime = FakeRuntime.listening(socket).answers("Version", request -> CONTAINERD);
        await().until(() -> client.version() instanceof RuntimeResult.Ok);
        assertThat(client.connections()).isEqualTo(2);
    }

    @Test
    void oneSilentCallDoesNotHoldUpTheOthers() throws Exception {
        runtime.answers("ListContainers", request -> FakeRuntime.SILENCE);
        BlockingQueue<RuntimeResult<?>> late = new LinkedBlockingQueue<>();
        Thread asking = Thread.ofPlatform().start(() -> late.add(client.containers()));
        await().until(() -> runtime.calls().contains("ListContainers"));

        assertThat(client.version()).isInstanceOf(RuntimeResult.Ok.class);
        assertThat(late).isEmpty();

        client.close();
        assertThat(late.poll(1, TimeUnit.MINUTES)).isInstanceOf(RuntimeResult.Unreachable.class);
        asking.join();
        assertThat(client.version()).isInstanceOf(RuntimeResult.Unreachable.class);
    }

    @Test
    void anInterruptedCallerIsLetGo() throws Exception {
        runtime.answers("ListContainers", request -> FakeRuntime.SILENCE);
        BlockingQueue<RuntimeResult<?>> late = new LinkedBlockingQueue<>();
        Thread asking = Thread.ofPlatform().start(() -> {
            RuntimeResult<?> runtimeResult = client.containers();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            late.add(runtimeResult);
        });
        await().until(() -> runtime.calls().contains("ListContainers"));

        asking.interrupt();

        assertThat(late.poll(1, TimeUnit.MINUTES)).isInstanceOf(RuntimeResult.Unreachable.class);
        assertThat(client.version()).isInstanceOf(RuntimeResult.Ok.class);
    }

    static <T> T ok(RuntimeResult<T> runtimeResult) {
        assertThat(runtimeResult).isInstanceOf(RuntimeResult.Ok.class);
        return ((RuntimeResult.Ok<T>) runtimeResult).value();
    }
}
