package io.dualstackd.agent.lab;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.cri.v1.ListPodSandboxRequest;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxState;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a real runtime answers: facts the product relies upon. */
@RealRuntime
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("kernel")
class PodLabTest {
    private PodLab lab;

    @BeforeAll
    void open() throws Exception {
        lab = PodLab.open();
    }

    @AfterAll
    void close() throws Exception {
        lab.close();
    }

    @Test
    void aDualStackPodHasOneAddressOfEachFamilyIpv4First() throws Exception {
        LabPod pod = lab.run(LabPodSpec.named("both"));
        assertThat(lab.status(pod.sandbox()).getStatus().getNetwork().getAdditionalIpsList())
                .hasSize(1);
        assertThat(pod.ips()).extracting(Ip::family).containsExactly(IpFamily.IPV4, IpFamily.IPV6);
        assertThat(pod.ips()).allMatch(ip -> Cni.podCidr(ip.family()).contains(ip));
        for (Ip ip : pod.ips()) {
            eventually()
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(lab.fetch(lab.net().client(), ip, LabPodSpec.USUAL_PORT))
                            .isEqualTo("both"));
        }
        lab.remove(pod);
    }

    @Test
    void anIpv6OnlyPodHasItsAddressFirst() throws Exception {
        for (Cni.Plugin plugin : Cni.Plugin.values()) {
            lab.cni(Cni.only(plugin, IpFamily.IPV6));
            LabPod pod = runUntil(LabPodSpec.named("six-" + plugin), List.of(IpFamily.IPV6));
            assertThat(lab.status(pod.sandbox()).getStatus().getNetwork().getAdditionalIpsList())
                    .isEmpty();
            lab.remove(pod);
        }
        lab.cni(Cni.dualStack(Cni.Plugin.BRIDGE));
        lab.remove(runUntil(LabPodSpec.named("again"), List.of(IpFamily.IPV4, IpFamily.IPV6)));
    }

    /** The runtime takes a moment to see the new configuration. */
    private LabPod runUntil(LabPodSpec wish, List<IpFamily> families) {
        for (int attempt = 0; ; attempt++) {
            LabPod pod = lab.run(wish.withoutContainer().attempt(attempt));
            if (pod.ips().stream().map(Ip::family).toList().equals(families)) {
                return pod;
            }
            lab.remove(pod);
        }
    }

    @Test
    void runtimeReportsNoAddressOnTheHostNetwork() throws Exception {
        LabPod pod = lab.run(LabPodSpec.named("host").onHostNetwork(9100));
        var status = lab.status(pod.sandbox()).getStatus();
        assertThat(status.getState()).isEqualTo(PodSandboxState.SANDBOX_READY);
        assertThat(status.hasNetwork()).isTrue();
        assertThat(status.getNetwork().getIp()).isEmpty();
        assertThat(status.getNetwork().getAdditionalIpsList()).isEmpty();
        for (IpFamily family : IpFamily.values()) {
            eventually()
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(lab.fetch(lab.net().client(), NodeNet.nodeIp(family), 9100))
                            .isEqualTo("host"));
        }
        lab.remove(pod);
    }

    @Test
    void aStoppedSandboxHasNoAddresses() {
        LabPod pod = lab.run(LabPodSpec.named("stopped"));
        lab.stop(pod);
        assertThat(lab.status(pod.sandbox()).getStatus().getState()).isEqualTo(PodSandboxState.SANDBOX_NOTREADY);
        assertThat(lab.ips(pod.sandbox())).isEmpty();
        lab.remove(pod);
    }

    @Test
    void aSandboxWhosePauseProcessWasKilledKeepsItsAddresses() throws Exception {
        LabPod pod = lab.run(LabPodSpec.named("killed"));
        lab.pause(pod).destroyForcibly();
        eventually()
                .untilAsserted(
                        () -> assertThat(lab.status(pod.sandbox()).getStatus().getState())
                                .isEqualTo(PodSandboxState.SANDBOX_NOTREADY));
        assertThat(lab.ips(pod.sandbox())).isEqualTo(pod.ips());
        lab.remove(pod);
    }

    @Test
    void aRemovedSandboxIsNotFound() {
        LabPod pod = lab.run(LabPodSpec.named("removed").withoutContainer());
        lab.remove(pod);
        assertThatThrownBy(() -> lab.status(pod.sandbox()))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
    }

    @Test
    void withoutCniConfigurationThereIsNoNetworkAndWhatFailsLeavesItsTraces() throws Exception {
        lab.removeCni();
        eventually().until(() -> !lab.isNetworkReady());
        LabPod onHost = lab.run(LabPodSpec.named("host-without-cni").onHostNetwork(0));
        assertThatThrownBy(() -> lab.run(LabPodSpec.named("unwired"))).isInstanceOf(StatusRuntimeException.class);
        List<PodSandbox> left =
                lab.cri().now().listPodSandbox(ListPodSandboxRequest.getDefaultInstance()).getItemsList().stream()
                        .filter(it -> it.getMetadata().getName().equals("unwired"))
                        .toList();
        assertThat(left).singleElement().satisfies(it -> {
            assertThat(it.getState()).isEqualTo(PodSandboxState.SANDBOX_NOTREADY);
            assertThat(it.getCreatedAt()).isNegative();
        });
        lab.remove(onHost);
        lab.cni(Cni.dualStack(Cni.Plugin.BRIDGE));
        eventually().until(() -> lab.isNetworkReady());
    }

    @Test
    void podsOutliveTheRuntime() throws Exception {
        LabPod pod = lab.run(LabPodSpec.named("survivor"));
        lab.containerd().stop();
        lab.startRuntime();
        assertThat(lab.ips(pod.sandbox())).isEqualTo(pod.ips());
        lab.containerd().kill();
        assertThat(lab.containerd().socket()).exists();
        lab.startRuntime();
        assertThat(lab.ips(pod.sandbox())).isEqualTo(pod.ips());
        assertThat(lab.status(pod.sandbox()).getStatus().getState()).isEqualTo(PodSandboxState.SANDBOX_READY);
        lab.remove(pod);
    }
}
