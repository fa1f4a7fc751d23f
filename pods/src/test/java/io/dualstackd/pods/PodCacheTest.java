package io.dualstackd.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.ContainerState;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PodCacheTest {
    private static final NodeNames NODE = node("192.0.2.1 2001:db8::1");

    private static NodeNames node(String ips) {
        return new NodeNames(IpFamily.IPV4, PodIpsTest.ips(ips));
    }

    private static Sandbox sandbox(String id, String pod, long attempt, boolean ready) {
        return new Sandbox(
                id,
                Optional.of(new Sandbox.Metadata(pod, "uid-" + pod, "shop", attempt)),
                ready,
                1_700_000_000_000_000_000L + attempt,
                Map.of("app", pod, "io.kubernetes.pod.name", pod));
    }

    private static Sandbox ready(String id, String pod, long attempt) {
        return sandbox(id, pod, attempt, true);
    }

    private static Sandbox over(String id, String pod, long attempt) {
        return sandbox(id, pod, attempt, false);
    }

    private static SandboxReport look(Sandbox sandbox, boolean host, String ip, String... additional) {
        SandboxReport.Network network = new SandboxReport.Network(ip, List.of(additional));
        return new SandboxReport(
                Optional.of(new SandboxReport.Status(sandbox.ready(), host, Optional.of(network))), 4711);
    }

    private static SandboxReport look(Sandbox sandbox, String ip, String... additional) {
        return look(sandbox, false, ip, additional);
    }

    private static Container container(String sandbox, String name, long attempt, ContainerState state) {
        return new Container(
                sandbox + "-" + name + attempt,
                sandbox,
                Optional.of(new Container.Metadata(name, attempt)),
                state,
                Map.of());
    }

    private static Relist list(Sandbox... sandboxes) {
        return new Relist(List.of(sandboxes), List.of());
    }

    private static Pod only(PodCache book) {
        assertThat(book.pods().all()).hasSize(1);
        return book.pods().all().getFirst();
    }

    private static PodCache one(Sandbox sandbox, SandboxReport report) {
        return PodCache.EMPTY.next(list(sandbox), Map.of(sandbox.id(), report), NODE);
    }

    @Test
    void queriesOnlyNewOrChangedSandboxes() {
        Sandbox a = ready("a", "web", 0);
        Sandbox b = ready("b", "dns", 0);
        assertThat(PodCache.EMPTY.toLookAt(list(a, b))).containsExactlyInAnyOrder("a", "b");
        PodCache book = PodCache.EMPTY.next(
                list(a, b), Map.of("a", look(a, "10.0.0.1", "fd01::1"), "b", look(b, "10.0.0.2")), NODE);
        assertThat(book.toLookAt(list(b, a))).isEmpty();
        assertThat(book.next(list(b, a), Map.of(), NODE)).isSameAs(book);
        assertThat(book.toLookAt(list(over("a", "web", 0), b))).containsExactly("a");
        assertThat(book.toLookAt(list(a, ready("a2", "web", 1), b))).containsExactly("a2");
        assertThat(book.toLookAt(list())).isEmpty();
        assertThat(book.next(list(), Map.of(), NODE).pods().all()).isEmpty();
    }

    /** As after a restart, which reads the addresses again. */
    @Test
    void aChangedPreferenceReordersTheAddressesThatAreKnown() {
        Sandbox web = ready("a", "web", 0);
        PodCache book = one(web, look(web, "fd01::1", "10.0.0.1"));
        assertThat(only(book).ips()).isEqualTo(PodIpsTest.ips("10.0.0.1 fd01::1"));
        NodeNames sixFirst = new NodeNames(IpFamily.IPV6, List.of());
        PodCache now = book.next(list(web), Map.of(), sixFirst);
        assertThat(only(now).ips()).isEqualTo(PodIpsTest.ips("fd01::1 10.0.0.1"));
        assertThat(now.next(list(web), Map.of(), sixFirst)).isSameAs(now);
        NodeNames asReported = new NodeNames(Optional.empty(), List.of());
        assertThat(now.next(list(web), Map.of(), asReported)).isSameAs(now);
    }

    @Test
    void newestSandboxDecidesStateOfPod() {
        Sandbox old = ready("old", "web", 0);
        Sandbox fresh = ready("new", "web", 1);
        PodCache book = one(old, look(old, "10.0.0.1", "fd01::1"));
        assertThat(only(book).ips()).isEqualTo(PodIpsTest.ips("10.0.0.1 fd01::1"));
        assertThat(only(book).labels()).containsOnlyKeys("app");
        assertThat(only(book).sandbox().process()).isEqualTo(4711);

        book = book.next(list(old, fresh), Map.of("new", look(fresh, "fd01::2", "10.0.0.2")), NODE);
        assertThat(only(book).ips()).isEqualTo(PodIpsTest.ips("10.0.0.2 fd01::2"));
        assertThat(only(book).sandbox().attempt()).isEqualTo(1);
    }

    @Test
    void anOlderReadySandboxLendsNoAddress() {
        Sandbox old = ready("old", "web", 0);
        Sandbox dead = over("new", "web", 1);
        PodCache book = one(old, look(old, "10.0.0.1"));
        PodCache then = book.next(list(old, dead), Map.of("new", look(dead, "")), NODE);
        assertThat(only(then).ips()).isEmpty();
        assertThat(only(then).isAlive()).isFalse();
        assertThat(only(book.next(list(old, dead), Map.of("new", SandboxReport.GONE), NODE))
                        .ips())
                .isEmpty();
    }

    @Test
    void aPodThatIsOverKeepsItsLastAddresses() {
        Sandbox running = ready("a", "web", 0);
        Sandbox stopped = over("a", "web", 0);
        PodCache book = one(running, look(running, "10.0.0.1", "fd01::1"));
        book = book.next(list(stopped), Map.of("a", look(stopped, "")), NODE);
        assertThat(only(book).ips()).isEqualTo(PodIpsTest.ips("10.0.0.1 fd01::1"));
        assertThat(only(book).isAlive()).isFalse();
        assertThat(book.toLookAt(list(stopped))).isEmpty();
        assertThat(only(one(stopped, look(stopped, "10.9.9.9"))).ips()).isEmpty();
        assertThat(only(book.next(list(stopped), Map.of("a", SandboxReport.GONE), NODE))
                        .ips())
                .hasSize(2);
    }

    @Test
    void readySandboxWithoutAddressIsQueriedAgain() {
        Sandbox running = ready("a", "web", 0);
        PodCache book = one(running, look(running, "10.0.0.1"));
        book = book.next(list(running, ready("b", "web", 1)), Map.of("b", look(ready("b", "web", 1), "")), NODE);
        assertThat(only(book).ips()).isEmpty();
        assertThat(book.toLookAt(list(running, ready("b", "web", 1)))).containsExactly("b");
    }

    @Test
    void failedQueryKeepsStateAndIsRetried() {
        Sandbox running = ready("a", "web", 0);
        Sandbox stopped = over("a", "web", 0);
        PodCache book = one(running, look(running, "10.0.0.1"));
        PodCache then = book.next(list(stopped), Map.of(), NODE);
        assertThat(only(then).ips()).isEqualTo(PodIpsTest.ips("10.0.0.1"));
        assertThat(only(then).isAlive()).isFalse();
        assertThat(then.toLookAt(list(stopped))).containsExactly("a");
        PodCache unknown = PodCache.EMPTY.next(list(running), Map.of(), NODE);
        assertThat(only(unknown).ips()).isEmpty();
        assertThat(unknown.toLookAt(list(running))).containsExactly("a");
    }

    @Test
    void podsOfTheHostNetworkAreCompletedButNotRenamed() {
        Sandbox host = ready("h", "proxy", 0);
        SandboxReport report = look(host, true, "");
        PodCache book = PodCache.EMPTY.next(list(host), Map.of("h", report), node("192.0.2.1"));
        assertThat(only(book).ips()).isEqualTo(PodIpsTest.ips("192.0.2.1"));
        assertThat(only(book).onHostNetwork()).isTrue();
        assertThat(book.toLookAt(list(host))).isEmpty();
        book = book.next(list(host), Map.of(), node("192.0.2.7 2001:db8::7"));
        assertThat(only(book).ips()).isEqualTo(PodIpsTest.ips("192.0.2.1 2001:db8::7"));
        book = book.next(list(host), Map.of(), node("192.0.2.8 2001:db8::8"));
        assertThat(only(book).ips()).isEqualTo(PodIpsTest.ips("192.0.2.1 2001:db8::7"));
        assertThat(book.pods().liveIps()).isEmpty();
    }

    /** Their status does not follow the node, as with kubelet. */
    @Test
    void podsOfTheHostNetworkAreReachableAtThePresentAddressesOfTheNode() {
        Sandbox host = ready("h", "proxy", 0);
        PodCache book = PodCache.EMPTY.next(list(host), Map.of("h", look(host, true, "")), node("2001:db8::1"));
        assertThat(book.pods().reachable().all().getFirst().ips()).isEqualTo(PodIpsTest.ips("2001:db8::1"));
        book = book.next(list(host), Map.of(), node("192.0.2.1 2001:db8::1"));
        assertThat(only(book).ips()).isEqualTo(PodIpsTest.ips("2001:db8::1"));
        assertThat(book.pods().reachable().all().getFirst().ips()).isEqualTo(PodIpsTest.ips("192.0.2.1 2001:db8::1"));
        book = book.next(list(host), Map.of(), node("192.0.2.9"));
        assertThat(book.pods().reachable().all().getFirst().ips())
                .as("the last address of a family that the node has lost")
                .isEqualTo(PodIpsTest.ips("192.0.2.9 2001:db8::1"));
        assertThat(book.next(list(host), Map.of(), node("192.0.2.9"))).isSameAs(book);
    }

    @Test
    void aPodIsDeadWhenNothingInItRunsAnyMore() {
        Sandbox a = ready("a", "web", 0);
        Map<String, SandboxReport> looks = Map.of("a", look(a, "10.0.0.1"));
        for (ContainerState state : ContainerState.values()) {
            Pod pod = only(PodCache.EMPTY.next(
                    new Relist(
                            List.of(a),
                            List.of(
                                    container("a", "main", 1, state),
                                    container("a", "main", 0, ContainerState.EXITED),
                                    container("a", "init", 0, ContainerState.EXITED),
                                    container("other", "x", 0, ContainerState.RUNNING))),
                    looks,
                    NODE));
            assertThat(pod.containers()).hasSize(2);
            assertThat(pod.isAlive()).isEqualTo(state != ContainerState.EXITED);
            assertThat(pod.isReady()).isEqualTo(state == ContainerState.RUNNING);
        }
        assertThat(only(PodCache.EMPTY.next(list(a), looks, NODE)).isReady()).isTrue();
    }

    /** Its images may take minutes. A sandbox of {@code crictl runp} has a uid, but no label with it, and may stay alone. */
    @Test
    void aSandboxOfKubeletIsNotReadyBeforeItsFirstContainer() {
        Sandbox a = new Sandbox(
                "a",
                Optional.of(new Sandbox.Metadata("web", "uid-web", "shop", 0)),
                true,
                1_700_000_000_000_000_000L,
                Map.of("app", "web", "io.kubernetes.pod.uid", "uid-web"));
        PodCache book = one(a, look(a, "10.0.0.1"));
        assertThat(only(book).isReady()).isFalse();
        assertThat(only(book).isAlive()).isTrue();
        assertThat(only(book).labels()).containsOnlyKeys("app");
        Relist running = new Relist(List.of(a), List.of(container("a", "main", 0, ContainerState.RUNNING)));
        assertThat(only(book.next(running, Map.of(), NODE)).isReady()).isTrue();
        PodCache started = one(ready("b", "web", 0), look(ready("b", "web", 0), "10.0.0.1"));
        assertThat(only(started).isReady()).isTrue();
    }

    @Test
    void sandboxWithoutNameIsIgnored() {
        Sandbox nameless = new Sandbox("x", Optional.empty(), true, 1, Map.of());
        assertThat(PodCache.EMPTY.toLookAt(list(nameless))).isEmpty();
        assertThat(PodCache.EMPTY.next(list(nameless), Map.of(), NODE)).isSameAs(PodCache.EMPTY);
    }

    @Test
    void twoPodsWithOneUidAreTwo() {
        Sandbox web = ready("a", "web", 0);
        Sandbox dns = new Sandbox(
                "b", Optional.of(new Sandbox.Metadata("dns", "uid-web", "shop", 0)), true, web.createdAt(), Map.of());
        PodCache book = PodCache.EMPTY.next(
                list(web, dns), Map.of("a", look(web, "10.0.0.1"), "b", look(dns, "10.0.0.2")), NODE);
        assertThat(book.pods().all()).extracting(Pod::name).containsExactly("dns", "web");
        assertThat(book.pods().liveIps()).hasSize(2);
        assertThat(book.toLookAt(list(web, dns))).isEmpty();
    }

    @Test
    void ofTwoPodsWithOneNameTheNewerIsFound() {
        Sandbox first = ready("a", "web", 0);
        Sandbox second = new Sandbox(
                "b",
                Optional.of(new Sandbox.Metadata("web", "another", "shop", 0)),
                true,
                first.createdAt() + 5,
                Map.of());
        PodCache book = PodCache.EMPTY.next(
                list(first, second), Map.of("a", look(first, "10.0.0.1"), "b", look(second, "10.0.0.2")), NODE);
        assertThat(book.pods().all()).hasSize(2);
        assertThat(book.pods().find("shop", "web").orElseThrow().uid()).isEqualTo("another");
        assertThat(book.pods().find("shop", "db")).isEmpty();
    }
}
