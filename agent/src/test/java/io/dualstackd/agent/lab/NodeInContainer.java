package io.dualstackd.agent.lab;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.HostConfig;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * The other half of {@link EngineTest}: a program in the network of the engine that starts a node as a container, containerd and the
 * agent in it, runs pods there, and asks their Service from inside and from outside. Says nothing and ends with 0 when all is well.
 */
final class NodeInContainer implements AutoCloseable {
    private static final String MOUNTED = "/lab";
    private static final int NODE_PORT = 30080;
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final List<String> CLUSTER_IPS = List.of("10.96.0.10", "fd00:10:96::10");

    private final Path folder;
    private final String cgroupParent;
    private final List<Bind> binds = new ArrayList<>();
    private final Set<Ip> routed = new HashSet<>();
    private final GenericContainer<?> node = new GenericContainer<>(DockerImageName.parse(NodeImage.NAME));

    private NodeInContainer(Path folder, String cgroupParent) {
        this.folder = folder;
        this.cgroupParent = cgroupParent;
    }

    /** Needs {@code DOCKER_HOST} in its environment, a folder of its own, and a place for cgroups. */
    public static void main(String... arguments) throws Exception {
        try (InputStream image = Files.newInputStream(NodeImage.archive())) {
            DockerClientFactory.lazyClient().loadImageCmd(image).exec();
        }
        try (NodeInContainer it = new NodeInContainer(Path.of(arguments[0]), arguments[1])) {
            it.start();
            try {
                it.servePods();
            } catch (Exception | AssertionError e) {
                e.addSuppressed(new IOException("the container says:\n" + it.node.getLogs()));
                throw e;
            }
        }
    }

    private void start() throws Exception {
        Files.createDirectories(folder.resolve("cni"));
        Files.createDirectories(folder.resolve("manifests"));
        Files.writeString(
                folder.resolve("containerd.toml"),
                Containerd.config(Path.of(MOUNTED, "containerd.sock"), Path.of(MOUNTED, "cni")));
        Files.writeString(
                folder.resolve("cni/10-lab.conflist"),
                Cni.dualStack(Cni.Plugin.BRIDGE).text());
        Files.copy(Images.archive(), folder.resolve("images.tar"));
        Files.writeString(folder.resolve("node.sh"), script());
        bind(folder, MOUNTED);
        bindJdk();
        node.withCommand(MOUNTED + "/node.sh")
                .withTmpFs(Map.of("/run", "rw,exec,dev,suid"))
                .withCreateContainerCmdModifier(this::unlock)
                .waitingFor(Wait.forLogMessage(".* in force family=IPv6 .*", 1).withStartupTimeout(TIMEOUT))
                .start();
    }

    private String script() throws IOException {
        return """
                mount -o remount,bind,rw /proc/sys
                containerd --config %1$s/containerd.toml >%1$s/containerd.log 2>&1 &
                until ctr -a %1$s/containerd.sock -n k8s.io images import %1$s/images.tar; do sleep 0.1; done
                %2$s &
                wait
                """.formatted(MOUNTED, String.join(" ", agent()));
    }

    private List<String> agent() throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath()));
        command.addAll(List.of("io.dualstackd.agent.Main", "run", "--standalone"));
        command.addAll(List.of("--manifests", MOUNTED + "/manifests", "--hostname-override", "node"));
        command.addAll(List.of("--cri", "unix://" + MOUNTED + "/containerd.sock"));
        command.addAll(List.of("--cluster-cidr", "10.244.0.0/16,fd00:10:244::/56"));
        return command;
    }

    /** The program under test, as it lies on the class path here: jars side by side, folders mounted. */
    private String classPath() throws IOException {
        Path jars = Files.createDirectories(folder.resolve("lib"));
        List<String> inside = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path here = Path.of(part);
            int number = inside.size();
            if (Files.isDirectory(here)) {
                bind(here.toAbsolutePath(), "/classes/" + number);
                inside.add("/classes/" + number);
            } else if (Files.exists(here)) {
                Path copy = jars.resolve(number + ".jar");
                Files.copy(here, copy, StandardCopyOption.REPLACE_EXISTING);
                inside.add(MOUNTED + "/lib/" + copy.getFileName());
            }
        }
        return String.join(":", inside);
    }

    private void bindJdk() throws IOException {
        Path jdk = Path.of(System.getProperty("java.home"));
        bind(jdk, jdk.toString());
        // Some distributions keep a JDK's settings here, and links to them there.
        try (Stream<Path> files = Files.list(Path.of("/etc"))) {
            files.filter(file -> file.getFileName().toString().startsWith("java-"))
                    .forEach(file -> bind(file, file.toString()));
        }
    }

    private void bind(Path here, String there) {
        binds.add(Bind.parse(here + ":" + there));
    }

    /**
     * What a node needs of a container. Not simply "privileged": where root lacks a capability, such a container cannot start; leaving
     * that one out works everywhere.
     */
    private void unlock(CreateContainerCmd command) {
        bind(Path.of("/sys/fs/cgroup"), "/sys/fs/cgroup");
        HostConfig host = Objects.requireNonNull(command.getHostConfig());
        host.withCapAdd(Capability.ALL)
                .withCapDrop(Capability.SYS_RESOURCE)
                .withSecurityOpts(List.of("seccomp=unconfined", "apparmor=unconfined"))
                .withCgroupnsMode("host")
                // An engine gives IPv6 to its own link and switches it off for all others, lo among them.
                .withSysctls(Map.of("net.ipv6.conf.all.disable_ipv6", "0", "net.ipv6.conf.default.disable_ipv6", "0"))
                .withBinds(binds);
    }

    private void servePods() throws Exception {
        try (RuntimeClient client = new RuntimeClient(folder.resolve("containerd.sock"))) {
            eventually().until(() -> client.knowsImage(Images.PAUSE) && client.knowsImage(Images.BUSYBOX));
            Sandboxes sandboxes = new Sandboxes(client, cgroupParent);
            Files.writeString(folder.resolve("manifests/web.yaml"), service());
            LabPod first = sandboxes.run(LabPodSpec.named("first").label("app", "web"));
            assertServedBy("first");
            LabPod second = sandboxes.run(LabPodSpec.named("second").label("app", "web"));
            sandboxes.remove(first);
            assertServedBy("second");
            sandboxes.remove(second);
        }
    }

    private static String service() {
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: default}
                spec:
                  type: NodePort
                  selector: {app: web}
                  ipFamilyPolicy: RequireDualStack
                  ipFamilies: [IPv4, IPv6]
                  clusterIP: %1$s
                  clusterIPs: ["%1$s", "%2$s"]
                  ports: [{name: http, protocol: TCP, port: 80, targetPort: %3$d, nodePort: %4$d}]
                """.formatted(CLUSTER_IPS.getFirst(), CLUSTER_IPS.getLast(), LabPodSpec.USUAL_PORT, NODE_PORT);
    }

    /** As a neighbour of the node: its node port in both families, and both ClusterIPs, which are routed to it. */
    private void assertServedBy(String name) throws IOException {
        ContainerNetwork network = Objects.requireNonNull(
                node.getContainerInfo().getNetworkSettings().getNetworks().get("bridge"));
        List<String> nodeIps = List.of(network.getIpAddress(), network.getGlobalIPv6Address());
        for (int i = 0; i < nodeIps.size(); i++) {
            Ip nodeIp = Ip.parse(nodeIps.get(i));
            Ip clusterIp = Ip.parse(CLUSTER_IPS.get(i));
            if (routed.add(clusterIp)) {
                try (RouteClient routes = RouteClient.open(NetNs.current())) {
                    routes.add(Route.via(IpPrefix.host(clusterIp), nodeIp));
                }
            }
            assertServedBy(name, nodeIp, NODE_PORT);
            assertServedBy(name, clusterIp, 80);
        }
    }

    private static void assertServedBy(String name, Ip ip, int port) {
        eventually()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(HttpGet.name(ip, port))
                        .as("%s port %d", ip, port)
                        .isEqualTo(name));
    }

    @Override
    public void close() {
        node.stop();
    }
}
