package io.dualstackd.pods.cri.io;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static io.dualstackd.pods.cri.io.RuntimeClientTest.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.lab.LabPod;
import io.dualstackd.agent.lab.LabPodSpec;
import io.dualstackd.agent.lab.PodLab;
import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.pods.cri.ContainerState;
import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The installed containerd, asked by the product's own client. */
@RealRuntime
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("kernel")
final class LiveRuntimeTest {
    private PodLab lab;
    private RuntimeClient client;

    @BeforeAll
    void open() throws Exception {
        lab = PodLab.open();
        client = RuntimeClient.open(
                RuntimeEndpoint.parse(lab.endpoint()),
                new RuntimeTimeouts(Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(10)));
    }

    @AfterAll
    void close() throws Exception {
        client.close();
        lab.close();
    }

    @Test
    void versionAndConditions() {
        assertThat(ok(client.version())).satisfies(version -> {
            assertThat(version.name()).isEqualTo("containerd");
            assertThat(version.version()).matches("v?[12]\\..*");
            assertThat(version.apiVersion()).isEqualTo("v1");
        });
        RuntimeConditions conditions = ok(client.conditions());
        assertThat(conditions.runtime().holds()).isTrue();
        eventually().until(() -> ok(client.conditions()).network().holds());
    }

    @Test
    void aPodFromItsStartToItsEnd() {
        LabPod pod = lab.run(LabPodSpec.named("whole").label("app", "web").attempt(3));

        Sandbox listed = ok(client.sandboxes()).stream()
                .filter(s -> s.id().equals(pod.sandbox()))
                .findFirst()
                .orElseThrow();
        assertThat(listed.ready()).isTrue();
        assertThat(listed.metadata())
                .contains(new Sandbox.Metadata("whole", pod.wish().uid(), "default", 3));
        assertThat(listed.createdAt()).isPositive();
        assertThat(listed.labels()).containsEntry("app", "web");

        SandboxReport.Status status = status(pod);
        assertThat(status.ready()).isTrue();
        assertThat(status.onHostNetwork()).isFalse();
        List<String> ips = pod.ips().stream().map(Ip::toString).toList();
        assertThat(status.network()).contains(new SandboxReport.Network(ips.getFirst(), ips.subList(1, ips.size())));

        assertThat(ok(client.containers()))
                .filteredOn(c -> c.sandboxId().equals(pod.sandbox()))
                .singleElement()
                .satisfies(c -> assertThat(c.state()).isEqualTo(ContainerState.RUNNING));

        lab.stop(pod);
        assertThat(status(pod).ready()).isFalse();
        assertThat(status(pod).network()).contains(new SandboxReport.Network("", List.of()));

        lab.remove(pod);
        assertThat(client.sandbox(pod.sandbox())).isInstanceOf(RuntimeResult.NotFound.class);
    }

    @Test
    void aPodOnTheHostNetwork() {
        LabPod pod = lab.run(LabPodSpec.named("host").onHostNetwork(0));

        assertThat(status(pod).onHostNetwork()).isTrue();
        assertThat(status(pod).network()).contains(new SandboxReport.Network("", List.of()));
        lab.remove(pod);
    }

    @Test
    void theNodesPodCidrs() {
        List<IpPrefix> cidrs = List.of(IpPrefix.parse("10.244.1.0/24"), IpPrefix.parse("fd00:244:1::/64"));

        assertThat(ok(client.tellPodCidrs(cidrs))).isEqualTo(cidrs);
    }

    @Test
    void aHungRuntime() throws Exception {
        try (RuntimeClient hasty = RuntimeClient.open(
                client.endpoint(),
                new RuntimeTimeouts(Duration.ofMillis(300), Duration.ofMillis(1), Duration.ofMillis(1)))) {
            eventually().until(() -> hasty.version() instanceof RuntimeResult.Ok);
            lab.containerd().freeze();
            try {
                assertThat(hasty.version())
                        .isInstanceOfSatisfying(
                                RuntimeResult.Unreachable.class,
                                hung -> assertThat(hung.reason()).endsWith(" did not answer Version within 300 ms"));
            } finally {
                lab.containerd().thaw();
            }
            eventually().until(() -> hasty.version() instanceof RuntimeResult.Ok);
        }
    }

    @Test
    void aRuntimeThatIsStartedAgain() throws Exception {
        lab.containerd().stop();
        eventually().untilAsserted(() -> assertThat(client.version()).isInstanceOf(RuntimeResult.Unreachable.class));

        lab.startRuntime();
        eventually().until(() -> client.version() instanceof RuntimeResult.Ok);
        lab.removeSocket();
        // Existing connections stay, and new ones cannot be made.
        assertThat(client.version()).isInstanceOf(RuntimeResult.Ok.class);
        try (RuntimeClient other = RuntimeClient.open(client.endpoint(), RuntimeTimeouts.USUAL)) {
            assertThat(other.version())
                    .isEqualTo(new RuntimeResult.Unreachable<>(client.endpoint() + " does not exist"));
        }
        lab.containerd().kill();
        lab.startRuntime();
        eventually().until(() -> client.version() instanceof RuntimeResult.Ok);
    }

    /** 1.6 does not know events; later ones do. Either way there is one clear answer. */
    @Test
    void callsUnknownToOldRuntimes() throws Exception {
        RuntimeEventsTest.Recorder recorder = new RuntimeEventsTest.Recorder();
        boolean old = ok(client.version()).version().matches("v?1\\.[0-6]\\..*");
        try (EventStream stream = client.events(recorder)) {
            if (old) {
                assertThat(recorder.ends.poll(1, TimeUnit.MINUTES)).isEqualTo(new RuntimeResult.Unimplemented<>());
                assertThat(stream.isOpen()).isFalse();
            } else {
                // A subscription is not acknowledged, so that the first pod may come before it.
                AtomicInteger attempts = new AtomicInteger();
                eventually().until(() -> {
                    lab.remove(lab.run(LabPodSpec.named("watched-" + attempts.incrementAndGet())
                            .withoutContainer()));
                    return recorder.events.poll(5, TimeUnit.SECONDS) != null;
                });
            }
        }
    }

    private SandboxReport.Status status(LabPod pod) {
        Optional<SandboxReport.Status> status =
                ok(client.sandbox(pod.sandbox())).status();
        return status.orElseThrow();
    }
}
