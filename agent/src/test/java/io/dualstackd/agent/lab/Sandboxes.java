package io.dualstackd.agent.lab;

import io.dualstackd.cri.v1.ContainerConfig;
import io.dualstackd.cri.v1.ContainerFilter;
import io.dualstackd.cri.v1.ContainerMetadata;
import io.dualstackd.cri.v1.CreateContainerRequest;
import io.dualstackd.cri.v1.ImageSpec;
import io.dualstackd.cri.v1.LinuxPodSandboxConfig;
import io.dualstackd.cri.v1.LinuxSandboxSecurityContext;
import io.dualstackd.cri.v1.ListContainersRequest;
import io.dualstackd.cri.v1.NamespaceMode;
import io.dualstackd.cri.v1.NamespaceOption;
import io.dualstackd.cri.v1.PodIP;
import io.dualstackd.cri.v1.PodSandboxConfig;
import io.dualstackd.cri.v1.PodSandboxMetadata;
import io.dualstackd.cri.v1.PodSandboxNetworkStatus;
import io.dualstackd.cri.v1.PodSandboxStatusRequest;
import io.dualstackd.cri.v1.PodSandboxStatusResponse;
import io.dualstackd.cri.v1.RemovePodSandboxRequest;
import io.dualstackd.cri.v1.RunPodSandboxRequest;
import io.dualstackd.cri.v1.StartContainerRequest;
import io.dualstackd.cri.v1.StopPodSandboxRequest;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A kubelet's verbs.
 *
 * @param cgroupParent where all processes of all pods belong
 */
record Sandboxes(RuntimeClient client, String cgroupParent) {
    /** Runs a pod, whose container was started but may not serve yet. */
    LabPod run(LabPodSpec wish) {
        PodSandboxConfig config = config(wish);
        String sandbox = client.now()
                .runPodSandbox(
                        RunPodSandboxRequest.newBuilder().setConfig(config).build())
                .getPodSandboxId();
        if (wish.port() > 0) {
            startServer(wish, config, sandbox);
        }
        return new LabPod(wish, sandbox, ips(sandbox));
    }

    private void startServer(LabPodSpec wish, PodSandboxConfig config, String sandbox) {
        String script =
                "echo -n %s > /www/index.html; exec httpd -f -p [::]:%d -h /www".formatted(wish.name(), wish.port());
        CreateContainerRequest create = CreateContainerRequest.newBuilder()
                .setPodSandboxId(sandbox)
                .setSandboxConfig(config)
                .setConfig(ContainerConfig.newBuilder()
                        .setMetadata(ContainerMetadata.newBuilder().setName("server"))
                        .setImage(ImageSpec.newBuilder().setImage(Images.BUSYBOX))
                        .addAllCommand(List.of("/bin/sh", "-c", script))
                        .putAllLabels(identity(wish))
                        .putLabels("io.kubernetes.container.name", "server")
                        .putAnnotations(
                                "io.kubernetes.container.ports",
                                "[{\"name\":\"http\",\"containerPort\":%d,\"protocol\":\"TCP\"}]"
                                        .formatted(wish.port()))
                        .setLogPath("server.log"))
                .build();
        String container = client.now().createContainer(create).getContainerId();
        client.now()
                .startContainer(StartContainerRequest.newBuilder()
                        .setContainerId(container)
                        .build());
    }

    private PodSandboxConfig config(LabPodSpec wish) {
        NamespaceMode network = wish.hostNetwork() ? NamespaceMode.NODE : NamespaceMode.POD;
        return PodSandboxConfig.newBuilder()
                .setMetadata(PodSandboxMetadata.newBuilder()
                        .setName(wish.name())
                        .setNamespace(wish.namespace())
                        .setUid(wish.uid())
                        .setAttempt(wish.attempt()))
                .setHostname(wish.hostNetwork() ? "" : wish.name())
                .setDnsConfig(wish.dns())
                .setLogDirectory("/run/lab/logs/" + wish.uid())
                .putAllLabels(wish.labels())
                .putAllLabels(identity(wish))
                .setLinux(LinuxPodSandboxConfig.newBuilder()
                        .setCgroupParent(cgroupParent)
                        .setSecurityContext(LinuxSandboxSecurityContext.newBuilder()
                                .setNamespaceOptions(
                                        NamespaceOption.newBuilder().setNetwork(network))))
                .build();
    }

    private static Map<String, String> identity(LabPodSpec wish) {
        return Map.of(
                "io.kubernetes.pod.name", wish.name(),
                "io.kubernetes.pod.namespace", wish.namespace(),
                "io.kubernetes.pod.uid", wish.uid());
    }

    /** What the runtime says about a sandbox. */
    PodSandboxStatusResponse status(String sandbox) {
        return client.now()
                .podSandboxStatus(PodSandboxStatusRequest.newBuilder()
                        .setPodSandboxId(sandbox)
                        .setVerbose(true)
                        .build());
    }

    /** The addresses that the runtime reports, in its order. */
    List<Ip> ips(String sandbox) {
        PodSandboxNetworkStatus network = status(sandbox).getStatus().getNetwork();
        List<Ip> ips = new ArrayList<>();
        if (!network.getIp().isEmpty()) {
            ips.add(Ip.parse(network.getIp()));
        }
        for (PodIP more : network.getAdditionalIpsList()) {
            ips.add(Ip.parse(more.getIp()));
        }
        return ips;
    }

    /** Its container. */
    String container(LabPod pod) {
        return client.now()
                .listContainers(ListContainersRequest.newBuilder()
                        .setFilter(ContainerFilter.newBuilder().setPodSandboxId(pod.sandbox()))
                        .build())
                .getContainersList()
                .getFirst()
                .getId();
    }

    void stop(LabPod pod) {
        client.now()
                .stopPodSandbox(StopPodSandboxRequest.newBuilder()
                        .setPodSandboxId(pod.sandbox())
                        .build());
    }

    /** Stops and removes it. */
    void remove(LabPod pod) {
        // Even with the pause process dead the containers live on, and then the runtime refuses to remove.
        stop(pod);
        client.now()
                .removePodSandbox(RemovePodSandboxRequest.newBuilder()
                        .setPodSandboxId(pod.sandbox())
                        .build());
    }
}
