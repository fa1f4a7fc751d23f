package io.dualstackd.agent.app;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.PodSettings;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.lab.Cni;
import io.dualstackd.agent.lab.LabPod;
import io.dualstackd.agent.lab.LabPodSpec;
import io.dualstackd.agent.lab.NodeNet;
import io.dualstackd.agent.lab.PodLab;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon beside a real container runtime: pods become endpoints, packets arrive, and faults of the runtime disturb nothing else. */
abstract class PodsOnNodeContract {
    static final int PORT = 80;
    static final int NODE_PORT = 30080;

    @TempDir
    private Path manifests;

    @TempDir
    private Path state;

    private final ProxyMode mode;
    private @Nullable PodLab opened;
    private @Nullable Daemon started;

    PodsOnNodeContract(ProxyMode mode) {
        this.mode = mode;
    }

    PodLab lab() {
        return Objects.requireNonNull(opened);
    }

    Daemon daemon() {
        return Objects.requireNonNull(started);
    }

    @BeforeEach
    void start() throws Exception {
        opened = PodLab.open();
        write("web.yaml", service("http"));
        started = Daemon.start(settings(), status -> {});
    }

    private DaemonSettings settings() {
        NodeIps ips = NodeIps.parse(NodeNet.nodeIp(IpFamily.IPV4) + "," + NodeNet.nodeIp(IpFamily.IPV6));
        NodeSettings node = NodeSettingsBuilder.node("n1")
                .ips(ips)
                .nodePortsOn(NodePortAddresses.PRIMARY)
                .settings();
        PodSettings pods = new PodSettings(
                Optional.of(RuntimeEndpoint.parse(lab().endpoint())),
                PodCidrs.parse(Cni.podCidr(IpFamily.IPV4) + "," + Cni.podCidr(IpFamily.IPV6)),
                true);
        return DaemonSettingsBuilder.daemon(
                        mode,
                        new SourceSettings.Folder(manifests.toString()),
                        lab().net().node(),
                        node)
                .state(state)
                .pods(pods)
                .settings();
    }

    @AfterEach
    void stop() throws Exception {
        daemon().close();
        lab().close();
    }

    void write(String file, String text) throws IOException {
        Files.writeString(manifests.resolve(file), text);
    }

    static String service(String targetPort) {
        return """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: default}
            spec:
              type: NodePort
              clusterIP: 10.96.0.10
              clusterIPs: [10.96.0.10, "fd00:10:96::a"]
              ipFamilyPolicy: RequireDualStack
              selector: {app: web}
              ports: [{port: %d, targetPort: %s, nodePort: %d}]
            """.formatted(PORT, targetPort, NODE_PORT);
    }

    static Ip clusterIp(IpFamily family) {
        return Ip.parse(family == IpFamily.IPV4 ? "10.96.0.10" : "fd00:10:96::a");
    }

    static LabPodSpec web(String name) {
        return LabPodSpec.named(name).label("app", "web");
    }

    int endpoints(IpFamily family) {
        return daemon().statuses().stream()
                .filter(status -> status.family() == family)
                .findFirst()
                .flatMap(FamilyStatus::lastSync)
                .map(report -> report.totals().endpoints())
                .orElse(-1);
    }

    void untilEndpoints(int ipv4, int ipv6) {
        eventually()
                .untilAsserted(() -> assertThat(endpoints(IpFamily.IPV4) + " " + endpoints(IpFamily.IPV6))
                        .isEqualTo(ipv4 + " " + ipv6));
    }

    /** The pods that answer on cluster IP and node port; connects from outside until all have answered. */
    void untilAnswers(IpFamily family, String... names) {
        for (Ip ip : Set.of(clusterIp(family), NodeNet.nodeIp(family))) {
            int port = ip.equals(clusterIp(family)) ? PORT : NODE_PORT;
            Set<String> answers = new TreeSet<>();
            eventually().ignoreExceptions().until(() -> {
                answers.add(lab().fetch(lab().net().client(), ip, port));
                return answers.containsAll(Set.of(names));
            });
            assertThat(answers).containsExactlyInAnyOrder(names);
        }
    }

    Pod known(String name) {
        return daemon().pods().orElseThrow().pods().find("default", name).orElseThrow();
    }

    @Test
    void podsAnswerInBothFamiliesAndEndpointsFollowThem() throws Exception {
        LabPod one = lab().run(web("one"));
        LabPod two = lab().run(web("two"));
        lab().run(LabPodSpec.named("other"));
        untilEndpoints(2, 2);
        untilAnswers(IpFamily.IPV4, "one", "two");
        untilAnswers(IpFamily.IPV6, "one", "two");
        assertThat(known("one").ips()).isEqualTo(one.ips());
        lab().remove(two);
        untilEndpoints(1, 1);
        untilAnswers(IpFamily.IPV6, "one");
        write("web.yaml", service("9999"));
        eventually()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(refuses(IpFamily.IPV4)).isTrue());
        write("web.yaml", service(Integer.toString(LabPodSpec.USUAL_PORT)));
        untilAnswers(IpFamily.IPV4, "one");
        lab().remove(one);
        untilEndpoints(0, 0);
    }

    boolean refuses(IpFamily family) throws Exception {
        try {
            lab().fetch(lab().net().client(), clusterIp(family), PORT);
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    @Test
    void runtimeRestartDoesNotAffectPods() throws Exception {
        lab().run(web("one"));
        untilAnswers(IpFamily.IPV4, "one");
        lab().containerd().kill();
        eventually()
                .until(() -> daemon().pods().orElseThrow().runtime().outage().isPresent());
        untilAnswers(IpFamily.IPV6, "one");
        assertThat(endpoints(IpFamily.IPV4)).isEqualTo(1);
        lab().startRuntime();
        eventually().until(() -> daemon().pods().orElseThrow().isFresh());
        lab().run(web("two"));
        untilEndpoints(2, 2);
        // The last event the daemon receives before the runtime goes silent must be that the container runs.
        untilAnswers(IpFamily.IPV4, "one", "two");
        lab().removeSocket();
        lab().containerd().stop();
        eventually().until(() -> !daemon().pods().orElseThrow().isFresh());
        untilAnswers(IpFamily.IPV4, "one", "two");
        lab().startRuntime();
        eventually().until(() -> daemon().pods().orElseThrow().isFresh());
        untilEndpoints(2, 2);
    }

    private void restart() throws Exception {
        daemon().close();
        started = Daemon.start(settings(), status -> {});
    }

    /** Connects continuously during the test, and counts the connections without an answer. */
    private int unansweredDuring(Callable<?> test) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger unanswered = new AtomicInteger();
        Thread asking = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                for (IpFamily family : IpFamily.values()) {
                    try {
                        lab().fetchPatiently(lab().net().client(), clusterIp(family), PORT);
                    } catch (Exception e) {
                        unanswered.incrementAndGet();
                    }
                }
            }
        });
        test.call();
        over.set(true);
        asking.join();
        return unanswered.get();
    }

    @Test
    void aRestartBesideASilentRuntimeMovesNoEndpoint() throws Exception {
        lab().run(web("one"));
        ProcessHandle pause = lab().pause(lab().run(web("two")));
        untilEndpoints(2, 2);
        untilAnswers(IpFamily.IPV4, "one", "two");
        untilAnswers(IpFamily.IPV6, "one", "two");
        lab().containerd().freeze();
        assertThat(unansweredDuring(() -> {
                    restart();
                    untilEndpoints(2, 2);
                    return daemon();
                }))
                .isZero();
        assertThat(daemon().pods().orElseThrow().isFresh()).isFalse();
        // A pod that dies while neither daemon nor runtime runs is detected by its missing process.
        daemon().close();
        pause.destroyForcibly();
        pause.onExit().get();
        started = Daemon.start(settings(), status -> {});
        untilEndpoints(1, 1);
        untilAnswers(IpFamily.IPV6, "one");
        lab().containerd().thaw();
        eventually().until(() -> daemon().pods().orElseThrow().isFresh());
        lab().run(web("three"));
        untilEndpoints(2, 2);
        untilAnswers(IpFamily.IPV4, "one", "three");
        lab().removeSocket();
        lab().containerd().stop();
        assertThat(unansweredDuring(() -> {
                    restart();
                    untilEndpoints(2, 2);
                    return daemon();
                }))
                .isZero();
        lab().startRuntime();
        eventually().until(() -> daemon().pods().orElseThrow().isFresh());
        untilEndpoints(2, 2);
    }

    @Test
    void podsOfOneFamilyServeThatFamily() throws Exception {
        for (IpFamily family : IpFamily.values()) {
            lab().cni(Cni.only(Cni.Plugin.PTP, family));
            LabPod pod = null;
            for (int attempt = 0; pod == null; attempt++) {
                // The runtime takes a moment to see the new configuration.
                LabPod tried = lab().run(web("only-" + family.bits()).attempt(attempt));
                if (tried.ips().size() == 1 && tried.ips().getFirst().family() == family) {
                    pod = tried;
                } else {
                    lab().remove(tried);
                }
            }
            untilEndpoints(family == IpFamily.IPV4 ? 1 : 0, family == IpFamily.IPV6 ? 1 : 0);
            untilAnswers(family, pod.name());
            assertThat(known(pod.name()).ips()).isEqualTo(pod.ips());
            lab().remove(pod);
            untilEndpoints(0, 0);
        }
    }

    @Test
    void podsOfTheHostNetworkServeAtTheNodesAddresses() throws Exception {
        LabPod pod = lab().run(web("host").onHostNetwork(9100));
        untilEndpoints(1, 1);
        untilAnswers(IpFamily.IPV4, "host");
        untilAnswers(IpFamily.IPV6, "host");
        assertThat(known("host").ips()).containsExactly(NodeNet.nodeIp(IpFamily.IPV4), NodeNet.nodeIp(IpFamily.IPV6));
        lab().remove(pod);
        untilEndpoints(0, 0);
    }

    @Test
    void aPodWithoutNetworkIsNoEndpoint() throws Exception {
        lab().run(web("one"));
        untilEndpoints(1, 1);
        lab().removeCni();
        eventually().until(() -> !lab().isNetworkReady());
        try {
            lab().run(web("unwired"));
        } catch (io.grpc.StatusRuntimeException expected) {
            assertThat(expected).isNotNull();
        }
        eventually()
                .until(() -> daemon().pods()
                        .orElseThrow()
                        .pods()
                        .find("default", "unwired")
                        .isPresent());
        assertThat(known("unwired").isAlive()).isFalse();
        untilEndpoints(1, 1);
    }

    /** Opens one connection after the other; remembers when the last one began that the pod answered. Its containers outlive their sandbox. */
    private void askUntil(AtomicBoolean over, String pod, AtomicLong lastAnswer) {
        while (!over.get()) {
            long began = System.nanoTime();
            try {
                if (lab().fetch(lab().net().client(), clusterIp(IpFamily.IPV4), PORT)
                        .equals(pod)) {
                    lastAnswer.set(began);
                }
            } catch (Exception refused) {
                // No answer; the caller looks for the pods that do answer.
            }
        }
    }

    /** Endpoints of the selector, and one from a slice in the folder, which still names the pod. */
    @Test
    void deadPodIsOutOfServiceBeforeApiServerReportsIt() throws Exception {
        LabPod one = lab().run(web("one"));
        LabPod two = lab().run(web("two"));
        write("slice.yaml", """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-by-hand, namespace: default, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: "", port: 8080}]
            endpoints: [{addresses: ["%s"]}, {addresses: ["%s"]}]
            """.formatted(one.ips().getFirst(), two.ips().getFirst()));
        untilEndpoints(2, 2);
        untilAnswers(IpFamily.IPV4, "one", "two");
        ProcessHandle pause = lab().pause(one);
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong lastAnswer = new AtomicLong(System.nanoTime());
        Thread asking = Thread.ofPlatform().start(() -> askUntil(over, one.name(), lastAnswer));
        long start = System.nanoTime();
        pause.destroyForcibly();
        eventually().pollInterval(Duration.ofMillis(1)).until(() -> endpoints(IpFamily.IPV4) == 1);
        double out = (System.nanoTime() - start) / 1e6;
        untilEndpoints(1, 1);
        for (int i = 0; i < 20; i++) {
            untilAnswers(IpFamily.IPV6, "two");
        }
        over.set(true);
        asking.join();
        System.out.printf(
                "pause killed → out of the rules after %.1f ms; the last new connection to it began after %.1f ms (%s)%n",
                out, Math.max(0, lastAnswer.get() - start) / 1e6, mode);
        untilEndpoints(1, 1);
        untilAnswers(IpFamily.IPV4, "two");
        untilAnswers(IpFamily.IPV6, "two");
    }
}
