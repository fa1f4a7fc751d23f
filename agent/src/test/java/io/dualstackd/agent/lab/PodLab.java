package io.dualstackd.agent.lab;

import io.dualstackd.cri.v1.ContainerConfig;
import io.dualstackd.cri.v1.ContainerMetadata;
import io.dualstackd.cri.v1.CreateContainerRequest;
import io.dualstackd.cri.v1.ImageSpec;
import io.dualstackd.cri.v1.LinuxPodSandboxConfig;
import io.dualstackd.cri.v1.LinuxSandboxSecurityContext;
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
import io.dualstackd.cri.v1.StatusRequest;
import io.dualstackd.cri.v1.StopPodSandboxRequest;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * One node with a real containerd, and everything a test may do to it. Any number may be open, one after the other or at once: each
 * is a world of its own. Needs to be root of the machine, not of a user namespace.
 */
public final class PodLab implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern PID = Pattern.compile("\"pid\": ?(\\d+)");

    private final LabFolder folder;
    private final NodeNet net;
    private final Enclosure enclosure;
    private final Containerd containerd;
    private final RuntimeClient client;

    private PodLab(LabFolder folder, NodeNet net, Enclosure enclosure, RuntimeVersion version) throws IOException {
        this.folder = folder;
        this.net = net;
        this.enclosure = enclosure;
        this.containerd = new Containerd(enclosure, folder, version);
        this.client = new RuntimeClient(containerd.socket());
    }

    /** Dual stack, the installed containerd, pods on a bridge. */
    public static PodLab open() throws Exception {
        return open(RuntimeVersion.INSTALLED, Cni.dualStack(Cni.Plugin.BRIDGE));
    }

    /** A dual-stack node. */
    public static PodLab open(RuntimeVersion version, Cni cni) throws Exception {
        return open(version, cni, EnumSet.allOf(IpFamily.class));
    }

    /** A node with addresses of these families. */
    public static PodLab open(RuntimeVersion version, Cni cni, Set<IpFamily> nodeFamilies) throws Exception {
        LabFolder folder = LabFolder.create();
        NodeNet net = NodeNet.create(nodeFamilies);
        Enclosure enclosure = Enclosure.around(net.node());
        PodLab lab = new PodLab(folder, net, enclosure, version);
        try {
            lab.cni(cni);
            lab.startRuntime();
            lab.containerd.ctr("images", "import", Images.archive().toString());
            eventually().until(() -> lab.client.knowsImage(Images.PAUSE) && lab.client.knowsImage(Images.BUSYBOX));
            return lab;
        } catch (Exception | AssertionError e) {
            e.addSuppressed(new IOException(lab.containerd.said()));
            lab.close();
            throw e;
        }
    }

    /** Waits long, for the machine may be busy, and looks often. */
    public static ConditionFactory eventually() {
        return Awaitility.await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
    }

    public NodeNet net() {
        return net;
    }

    /** What {@code --cri} wants. */
    public String endpoint() {
        return "unix://" + containerd.socket();
    }

    public Containerd containerd() {
        return containerd;
    }

    /** CRI as a kubelet speaks it. */
    public RuntimeClient cri() {
        return client;
    }

    /** A folder for files of the test, gone with the laboratory. */
    public Path folder() throws IOException {
        return Files.createDirectories(folder.resolve("test"));
    }

    /** Replaces the CNI configuration in one step; the runtime sees it a moment later. */
    public void cni(Cni cni) throws IOException {
        // Beside the old one: of a file that comes from elsewhere, containerd takes no notice.
        Path fresh = Files.writeString(conflist().resolveSibling("fresh"), cni.text());
        Files.move(fresh, conflist(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** From now on no pod gets a network. */
    public void removeCni() throws IOException {
        Files.delete(conflist());
    }

    private Path conflist() {
        return containerd.cniFolder().resolve("10-lab.conflist");
    }

    /** What {@code Status} says about {@code NetworkReady}. */
    public boolean isNetworkReady() {
        return client.patiently().status(StatusRequest.getDefaultInstance()).getStatus().getConditionsList().stream()
                .anyMatch(it -> it.getType().equals("NetworkReady") && it.getStatus());
    }

    /** Starts the runtime and waits until it answers. */
    public void startRuntime() throws IOException {
        containerd.start();
        client.patiently().status(StatusRequest.getDefaultInstance());
    }

    /** Takes the socket's file away; the runtime lives on, unreachable. */
    public void removeSocket() throws IOException {
        Files.delete(containerd.socket());
    }

    /** Runs a pod, whose container was started but may not serve yet. */
    public LabPod run(PodWish wish) {
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

    private void startServer(PodWish wish, PodSandboxConfig config, String sandbox) {
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

    private PodSandboxConfig config(PodWish wish) {
        NamespaceMode network = wish.hostNetwork() ? NamespaceMode.NODE : NamespaceMode.POD;
        return PodSandboxConfig.newBuilder()
                .setMetadata(PodSandboxMetadata.newBuilder()
                        .setName(wish.name())
                        .setNamespace(wish.namespace())
                        .setUid(wish.uid())
                        .setAttempt(wish.attempt()))
                .setHostname(wish.hostNetwork() ? "" : wish.name())
                .setLogDirectory("/run/lab/logs/" + wish.uid())
                .putAllLabels(wish.labels())
                .putAllLabels(identity(wish))
                .setLinux(LinuxPodSandboxConfig.newBuilder()
                        .setCgroupParent("/" + folder.name())
                        .setSecurityContext(LinuxSandboxSecurityContext.newBuilder()
                                .setNamespaceOptions(
                                        NamespaceOption.newBuilder().setNetwork(network))))
                .build();
    }

    private static Map<String, String> identity(PodWish wish) {
        return Map.of(
                "io.kubernetes.pod.name", wish.name(),
                "io.kubernetes.pod.namespace", wish.namespace(),
                "io.kubernetes.pod.uid", wish.uid());
    }

    /** What the runtime says about a sandbox. */
    public PodSandboxStatusResponse status(String sandbox) {
        return client.now()
                .podSandboxStatus(PodSandboxStatusRequest.newBuilder()
                        .setPodSandboxId(sandbox)
                        .setVerbose(true)
                        .build());
    }

    /** The addresses the runtime tells, in its order. */
    public List<Ip> ips(String sandbox) {
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

    public void stop(LabPod pod) {
        client.now()
                .stopPodSandbox(StopPodSandboxRequest.newBuilder()
                        .setPodSandboxId(pod.sandbox())
                        .build());
    }

    /** Stops and removes it. */
    public void remove(LabPod pod) {
        // Even with the pause process dead the containers live on, and then the runtime refuses to remove.
        stop(pod);
        client.now()
                .removePodSandbox(RemovePodSandboxRequest.newBuilder()
                        .setPodSandboxId(pod.sandbox())
                        .build());
    }

    /** The process that holds the pod together, by the number this machine knows it by. */
    public ProcessHandle pause(LabPod pod) throws IOException {
        String more = status(pod.sandbox()).getInfoOrThrow("info");
        Matcher pid = PID.matcher(more);
        if (!pid.find()) {
            throw new IllegalStateException("no pid in " + more);
        }
        long outside = enclosure.pidOutside(Long.parseLong(pid.group(1))).orElseThrow();
        return ProcessHandle.of(outside).orElseThrow();
    }

    /**
     * Asks a pod, or a Service, for its name.
     *
     * @return the name of the pod that answered
     * @throws IOException when nobody answers, soon
     */
    public String fetch(NetNs from, Ip ip, int port) throws Exception {
        return from.call(() -> HttpAsk.name(ip, port));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        client.close();
        enclosure.close();
        net.close();
        folder.remove();
    }
}
