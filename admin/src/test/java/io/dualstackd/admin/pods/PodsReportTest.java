package io.dualstackd.admin.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.pods.ContainerPort;
import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodContainer;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.cri.ContainerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PodsReportTest {
    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

    private static List<Ip> ips(String... texts) {
        return Arrays.stream(texts).map(Ip::parse).toList();
    }

    private static final Pod WEB = new Pod(
            "shop",
            "web-1",
            "uid-1",
            new Pod.PodSandbox("0123456789abcdef0123", 1, NOW.minus(Duration.ofMinutes(4)), true, 4711, true, false),
            false,
            ips("10.244.1.3", "fd00:244:1::3"),
            Map.of("app", "web", "version", "1.0"),
            List.of(
                    new PodContainer(
                            "main",
                            2,
                            ContainerState.RUNNING,
                            List.of(new ContainerPort("http", 8080, Proto.TCP), new ContainerPort("", 53, Proto.UDP))),
                    new PodContainer("setup", 0, ContainerState.EXITED, List.of())));

    private static final Pod PROXY = new Pod(
            "kube-system",
            "proxy",
            "uid-2",
            new Pod.PodSandbox("feed", 0, NOW.minus(Duration.ofDays(3)), false, 0, true, false),
            true,
            List.of(),
            Map.of(),
            List.of());

    private static PodsReport report(Optional<RuntimeReport.Outage> outage, Pod... pods) {
        RuntimeReport runtime = new RuntimeReport(
                "unix:///run/x.sock",
                Optional.empty(),
                Optional.empty(),
                Optional.of(NOW),
                outage,
                EventFlow.FLOWING,
                true);
        return new PodsReport("n1", ips("192.0.2.1", "2001:db8::1"), new Pods(List.of(pods)), runtime, NOW);
    }

    @Test
    void aTableWithAllAddresses() {
        assertThat(PodsText.table(report(Optional.empty(), WEB, PROXY), false)).isEqualTo("""
            NAMESPACE     NAME    READY   STATUS            RESTARTS   AGE   IPS
            kube-system   proxy   0/0     SandboxNotReady   0          3d    <none>
            shop          web-1   1/2     Running           2          4m    10.244.1.3,fd00:244:1::3
            """);
        assertThat(PodsText.table(report(Optional.empty(), WEB), true)).isEqualTo("""
            NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE   IPS                        NODE   NETWORK   SANDBOX
            shop        web-1   1/2     Running   2          4m    10.244.1.3,fd00:244:1::3   n1     pod       0123456789abc
            """);
        assertThat(PodsText.table(report(Optional.empty()), true)).isEqualTo("No pods on n1.\n");
    }

    @Test
    void outageComesFirst() {
        PodsReport old =
                report(Optional.of(new RuntimeReport.Outage(NOW.minusSeconds(150), "connection refused")), WEB);
        assertThat(old.isFresh()).isFalse();
        assertThat(PodsText.table(old, false)).startsWith("""
            The container runtime at unix:///run/x.sock has not answered for 2m30s (connection refused).
            This is what was last known:

            NAMESPACE\
            """);
    }

    @Test
    void aDescriptionHasTheBlockOfIps() {
        assertThat(PodsText.description(report(Optional.empty(), WEB), WEB)).isEqualTo("""
            Name:           web-1
            Namespace:      shop
            UID:            uid-1
            Node:           n1/192.0.2.1
            Start Time:     2026-11-21T07:56:00Z
            Labels:         app=web
                            version=1.0
            Status:         Running
            IP:             10.244.1.3
            IPs:
              IP:           10.244.1.3
              IP:           fd00:244:1::3
            Host IPs:       192.0.2.1,2001:db8::1
            Host Network:   false
            Sandbox:        0123456789abcdef0123 (attempt 1, process 4711)
            Containers:
              main:
                State:          running
                Restart Count:  2
                Ports:          8080/TCP (http), 53/UDP
              setup:
                State:          exited
                Restart Count:  0
            """);
        assertThat(PodsText.description(report(Optional.empty(), PROXY), PROXY))
                .contains("\nIP:\nIPs:            <none>\n")
                .contains("\nContainers:     <none>\n");
    }

    @Test
    void yamlIsWhatKubectlWouldPrint() {
        assertThat(YamlPrint.of(PodObjects.one(report(Optional.empty(), WEB), WEB)))
                .isEqualTo("""
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: web-1
                      namespace: shop
                      uid: uid-1
                      labels:
                        app: web
                        version: "1.0"
                    spec:
                      nodeName: n1
                    status:
                      phase: Running
                      hostIP: 192.0.2.1
                      hostIPs:
                      - ip: 192.0.2.1
                      - ip: 2001:db8::1
                      podIP: 10.244.1.3
                      podIPs:
                      - ip: 10.244.1.3
                      - ip: fd00:244:1::3
                      startTime: "2026-11-21T07:56:00Z"
                      containerStatuses:
                      - name: main
                        ready: true
                        restartCount: 2
                        state:
                          running: {}
                      - name: setup
                        ready: false
                        restartCount: 0
                        state:
                          terminated: {}
                    """);
    }

    /** Its sandbox is found dead before the runtime says anything of the containers. */
    @Test
    void noContainerIsReadyInASandboxThatHasEnded() {
        Pod.PodSandbox over = new Pod.PodSandbox("feed", 1, WEB.sandbox().createdAt(), false, 4711, true, false);
        Pod dead = new Pod("shop", "web-1", "uid-1", over, false, WEB.ips(), WEB.labels(), WEB.containers());
        assertThat(PodsText.table(report(Optional.empty(), dead), false)).contains("   0/2     SandboxNotReady   ");
        assertThat(YamlPrint.of(PodObjects.one(report(Optional.empty(), dead), dead)))
                .contains("phase: Succeeded")
                .doesNotContain("ready: true");
    }

    @Test
    void aListHasThemAll() {
        assertThat(YamlPrint.of(PodObjects.list(report(Optional.empty(), WEB, PROXY))))
                .startsWith("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n")
                .contains("    namespace: kube-system\n")
                .contains("    hostNetwork: true\n");
    }
}
