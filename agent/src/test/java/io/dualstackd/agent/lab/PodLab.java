package io.dualstackd.agent.lab;

import io.dualstackd.cri.v1.PodSandboxStatusResponse;
import io.dualstackd.cri.v1.StatusRequest;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * One node with a real containerd, and everything a test may do to it. Any number may be open, one after the other or at once: each
 * is a world of its own. Needs to be root of the machine, not of a user namespace.
 */
public final class PodLab implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final AtomicInteger EXECS = new AtomicInteger();
    private static final Pattern PID = Pattern.compile("\"pid\": ?(\\d+)");

    private final LabFolder folder;
    private final NodeNet net;
    private final IsolatedHost isolatedHost;
    private final Containerd containerd;
    private final RuntimeClient client;
    private final Sandboxes sandboxes;

    private PodLab(LabFolder folder, NodeNet net, IsolatedHost isolatedHost, RuntimeVersion version)
            throws IOException {
        this.folder = folder;
        this.net = net;
        this.isolatedHost = isolatedHost;
        this.containerd = new Containerd(isolatedHost, folder, version);
        this.client = new RuntimeClient(containerd.socket());
        this.sandboxes = new Sandboxes(client, folder.cgroupParent());
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
        IsolatedHost isolatedHost = IsolatedHost.around(net.node());
        PodLab lab = new PodLab(folder, net, isolatedHost, version);
        try {
            lab.cni(cni);
            lab.startRuntime();
            lab.containerd.ctr("images", "import", Images.archive().toString());
            eventually().until(() -> lab.client.knowsImage(Images.PAUSE) && lab.client.knowsImage(Images.BUSYBOX));
            return lab;
        } catch (Exception | AssertionError e) {
            e.addSuppressed(new IOException(lab.containerd.output()));
            lab.close();
            throw e;
        }
    }

    /** Waits long, for the machine may be busy, and looks often. */
    public static ConditionFactory eventually() {
        return Awaitility.await().atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
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

    /** The condition {@code NetworkReady} of {@code Status}. */
    public boolean isNetworkReady() {
        return client.patiently().status(StatusRequest.getDefaultInstance()).getStatus().getConditionsList().stream()
                .anyMatch(it -> it.getType().equals("NetworkReady") && it.getStatus());
    }

    /** Starts the runtime and waits until it answers; for a moment it only says that it is not initialized yet. */
    public void startRuntime() throws IOException {
        containerd.start();
        eventually()
                .ignoreException(StatusRuntimeException.class)
                .until(() -> client.patiently()
                        .status(StatusRequest.getDefaultInstance())
                        .hasStatus());
    }

    /** Removes the socket's file; the runtime keeps running, unreachable. */
    public void removeSocket() throws IOException {
        Files.delete(containerd.socket());
    }

    /** Runs a pod, whose container was started but may not serve yet. */
    public LabPod run(LabPodSpec wish) {
        return sandboxes.run(wish);
    }

    /** What the runtime says about a sandbox. */
    public PodSandboxStatusResponse status(String sandbox) {
        return sandboxes.status(sandbox);
    }

    /** The addresses that the runtime reports, in its order. */
    public List<Ip> ips(String sandbox) {
        return sandboxes.ips(sandbox);
    }

    /**
     * Runs a program in the pod's container, with its files and its network.
     *
     * @return what it prints
     * @throws IOException with its output when it fails
     */
    public String exec(LabPod pod, String... command) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("tasks", "exec", "--exec-id", "exec-" + EXECS.incrementAndGet(), sandboxes.container(pod)));
        arguments.addAll(List.of(command));
        return containerd.ctr(arguments.toArray(String[]::new));
    }

    /** Stops it; its addresses are free again. */
    public void stop(LabPod pod) {
        sandboxes.stop(pod);
    }

    /** Stops and removes it. */
    public void remove(LabPod pod) {
        sandboxes.remove(pod);
    }

    /** The process that holds the pod together, by the number this machine knows it by. */
    public ProcessHandle pause(LabPod pod) throws IOException {
        String more = status(pod.sandbox()).getInfoOrThrow("info");
        Matcher pid = PID.matcher(more);
        if (!pid.find()) {
            throw new IllegalStateException("no pid in " + more);
        }
        long outside = isolatedHost.pidOutside(Long.parseLong(pid.group(1))).orElseThrow();
        return ProcessHandle.of(outside).orElseThrow();
    }

    /**
     * Asks a pod, or a Service, for its name.
     *
     * @return the name of the pod that answered
     * @throws IOException when there is no answer within a short time
     */
    public String fetch(NetNs from, Ip ip, int port) throws Exception {
        return from.call(() -> HttpGet.name(ip, port));
    }

    /** As {@link #fetch}, but waits for an answer, however busy the machine is. */
    public String fetchPatiently(NetNs from, Ip ip, int port) throws Exception {
        return from.call(() -> HttpGet.name(ip, port, TIMEOUT));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        client.close();
        isolatedHost.close();
        net.close();
        folder.remove();
    }
}
