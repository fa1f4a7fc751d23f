package io.dualstackd.node.report.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.AddressChoice;
import io.dualstackd.node.report.AddressManagement;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventAggregator;
import io.dualstackd.node.report.PodIpFigures;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.NodeAddress;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.Pods;
import io.dualstackd.supervision.io.FatalAction;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.SimulatedPlatform;
import io.dualstackd.supervision.sys.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are sent when the server refuses or does not answer. */
final class ReportersTest {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private final ScriptedApi api = new ScriptedApi();
    private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private volatile Instant now = START;
    private volatile boolean runtimeAnswers = true;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T opened(T reporter) {
        open.add(reporter);
        return reporter;
    }

    private EventReporter eventReporter() {
        return opened(EventReporter.start(
                api, new EventAggregator("kube-proxy", "kube-proxy-n1"), () -> now, Supervisor.none()));
    }

    @Test
    void eventsAreSentAndARepeatedOneIsASeries() {
        EventReporter reporter = eventReporter();
        reporter.happened(ClusterEvent.starting("n1"));
        reporter.happened(ClusterEvent.starting("n1"));
        await().untilAsserted(() -> assertThat(api.written()).hasSize(2));
        assertThat(api.written().getFirst())
                .startsWith("POST /apis/events.k8s.io/v1/namespaces/default/events {")
                .contains("\"reason\":\"Starting\"");
        assertThat(api.written().getLast()).startsWith("PATCH ").contains("\"series\":{\"count\":2");
    }

    @Test
    @Tag("slow")
    void eventsWaitForTheServer() {
        AtomicInteger failures = new AtomicInteger(1);
        api.onWrite(request ->
                failures.getAndDecrement() > 0 ? new Reply.Failed("connection refused") : new Reply.Done(201, "{}"));
        EventReporter reporter = eventReporter();
        reporter.happened(ClusterEvent.starting("n1"));
        // It tries again in seconds, which may be before this is asked.
        await().untilAsserted(() -> assertThat(api.written()).isNotEmpty());
        reporter.happened(ClusterEvent.noMetricsServer("n1", "in use"));
        await().untilAsserted(() -> assertThat(api.written()).hasSize(3));
        assertThat(api.written().get(1)).isEqualTo(api.written().getFirst());
        assertThat(api.written().get(2)).contains("FailedToStartMetricServer");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 408, 429, 502, 503, 504})
    @Tag("slow")
    void eventsAreRetriedAfterErrorsThatAreNotAboutThem(int code) {
        eventsAreRetriedAfter(ScriptedApi.refused(code));
    }

    /** So says a server that cannot reach etcd. */
    @Test
    @Tag("slow")
    void eventsAreRetriedWhereTheServerNamesATime() {
        eventsAreRetriedAfter(
                new Reply.Refused(new ApiStatus(500, "ServerTimeout", "try again later", OptionalInt.of(2))));
    }

    private void eventsAreRetriedAfter(Reply refusal) {
        AtomicInteger failures = new AtomicInteger(1);
        api.onWrite(request -> failures.getAndDecrement() > 0 ? refusal : new Reply.Done(201, "{}"));
        EventReporter reporter = eventReporter();
        reporter.happened(ClusterEvent.starting("n1"));
        // It tries again in seconds, which may be before this is asked.
        await().untilAsserted(() -> assertThat(api.written()).isNotEmpty());
        reporter.happened(ClusterEvent.noMetricsServer("n1", "in use"));
        await().untilAsserted(() -> assertThat(api.written()).hasSize(3));
        assertThat(api.written().get(1)).isEqualTo(api.written().getFirst());
    }

    /** The first connection broke after the server had taken the event. */
    @Test
    @Tag("slow")
    void anEventThatTheServerHasAlreadyIsContinued() {
        AtomicInteger failures = new AtomicInteger(1);
        api.onWrite(request -> {
            if (request.startsWith("PATCH ")) {
                return new Reply.Done(200, "{}");
            }
            return failures.getAndDecrement() > 0 ? new Reply.Failed("connection reset") : ScriptedApi.refused(409);
        });
        EventReporter reporter = eventReporter();
        reporter.happened(ClusterEvent.starting("n1"));
        await().untilAsserted(() -> assertThat(api.written()).hasSize(1));
        reporter.happened(ClusterEvent.starting("n1"));
        await().untilAsserted(() -> assertThat(api.written()).hasSize(3));
        assertThat(api.written().getLast()).startsWith("PATCH ").contains("\"series\":{\"count\":2");
    }

    @Test
    void countsAnEventThatHappensWithoutAPause() throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        platform.run(() -> {
            EventReporter reporter = opened(EventReporter.start(
                    api,
                    new EventAggregator("kube-proxy", "kube-proxy-n1"),
                    new Supervisor(FatalAction.ofThread(), platform)));
            for (int i = 0; i < 100; i++) {
                reporter.happened(ClusterEvent.starting("n1"));
                platform.sleep(Duration.ofSeconds(1));
            }
            assertThat(api.written()).hasSize(5).last().asString().containsPattern("\"count\":9[0-9]");
        });
    }

    @Test
    void eventsOfAServerThatDoesNotAnswerKeepTheirTimesAndTheNewestRemain() throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        AtomicInteger slow = new AtomicInteger(1);
        api.onWrite(request -> {
            if (slow.getAndDecrement() > 0) {
                platform.sleep(Duration.ofMinutes(2));
                return new Reply.Failed("no answer");
            }
            return new Reply.Done(201, "{}");
        });
        platform.run(() -> {
            EventReporter reporter = opened(EventReporter.start(
                    api,
                    new EventAggregator("kube-proxy", "kube-proxy-n1"),
                    new Supervisor(FatalAction.ofThread(), platform)));
            reporter.happened(ClusterEvent.starting("n1"));
            platform.sleep(Duration.ofSeconds(10));
            Instant last = platform.instant();
            for (int i = 1; i <= 600; i++) {
                reporter.happened(ClusterEvent.noEndpoints("shop", "web" + i, IpFamily.IPV4, "port 80"));
            }
            platform.sleep(Duration.ofMinutes(3));
            assertThat(api.written())
                    .last()
                    .asString()
                    .contains("\"name\":\"web600\"")
                    .contains("\"eventTime\":\"" + last.toString().substring(0, 19));
            assertThat(api.written()).noneMatch(request -> request.contains("\"name\":\"web100\""));
        });
    }

    @Test
    void anEventThatTheServerHasForgottenIsNewAgain() {
        api.onWrite(request -> request.startsWith("PATCH ") ? ScriptedApi.refused(404) : new Reply.Done(201, "{}"));
        EventReporter reporter = eventReporter();
        for (int i = 0; i < 2; i++) {
            reporter.happened(ClusterEvent.starting("n1"));
        }
        await().untilAsserted(() -> assertThat(api.written()).hasSize(3));
        assertThat(api.written().get(1)).startsWith("PATCH ");
        assertThat(api.written().getLast()).startsWith("POST ");
    }

    /** As before an administrator grants the right. */
    @Test
    void anEventThatTheServerRefusedIsNotCountedWhenItHappensAgain() {
        AtomicInteger refusals = new AtomicInteger(1);
        api.onWrite(request -> refusals.getAndDecrement() > 0 ? ScriptedApi.refused(403) : new Reply.Done(201, "{}"));
        EventReporter reporter = eventReporter();
        reporter.happened(ClusterEvent.starting("n1"));
        await().until(() -> refusals.get() == 0);
        reporter.happened(ClusterEvent.starting("n1"));
        await().untilAsserted(() -> assertThat(api.written()).hasSize(2));
        assertThat(api.written()).allSatisfy(request -> assertThat(request).startsWith("POST "));
    }

    @Test
    void noRightToSendEventsIsNoMisfortune() {
        api.onWrite(request -> ScriptedApi.refused(403));
        EventReporter reporter = eventReporter();
        reporter.happened(ClusterEvent.starting("n1"));
        reporter.happened(ClusterEvent.noMetricsServer("n1", "x"));
        await().untilAsserted(() -> assertThat(api.written()).hasSize(2));
    }

    /** Throws the first so many times. */
    private static <A> Function<A, Reply> failing(int times, Function<A, Reply> then) {
        AtomicInteger left = new AtomicInteger(times);
        return asked -> {
            if (left.getAndDecrement() > 0) {
                throw new IllegalStateException("made up");
            }
            return then.apply(asked);
        };
    }

    @Test
    @Tag("slow")
    void exceptionDoesNotEndEventReporting() {
        api.onWrite(failing(1, request -> new Reply.Done(201, "{}")));
        EventReporter reporter = eventReporter();
        reporter.happened(ClusterEvent.starting("n1"));
        reporter.happened(ClusterEvent.noMetricsServer("n1", "x"));
        await().untilAsserted(() ->
                assertThat(api.written()).singleElement().asString().contains("FailedToStartMetricServer"));
    }

    @Test
    void exceptionDoesNotEndNodeReporting() {
        api.onRead(failing(1, target -> node(1, "")));
        NodeReporter reporter = nodeReporter();
        await().untilAsserted(() -> assertThat(reporter.problem().orElse("")).contains("made up"));
        reporter.wakeUp();
        await().untilAsserted(() -> assertThat(api.written()).hasSize(1));
        await().untilAsserted(() -> assertThat(reporter.problem()).isEmpty());
    }

    @Test
    void exceptionDoesNotEndPodComparison() {
        api.onWrite(failing(1, request -> new Reply.Done(200, "{}")));
        PodReporter reporter = podReporter();
        lookAgain(reporter);
        await().untilAsserted(() -> assertThat(api.asked).hasSizeGreaterThanOrEqualTo(2));
        await().untilAsserted(() -> {
            reporter.wakeUp();
            assertThat(reporter.figures()).isEqualTo(new PodIpFigures(1, 1, 0, 1, 0));
        });
    }

    private static Reply node(int version, String addresses) {
        return new Reply.Done(
                200,
                "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"" + version
                        + "\"},\"status\":{\"addresses\":[" + addresses + "]}}");
    }

    private NodeReporter nodeReporter() {
        return opened(NodeReporter.start(api, wantedNode(), events::add, () -> now, Supervisor.none()));
    }

    private NodeReporter nodeReporter(SimulatedPlatform platform) {
        return opened(
                NodeReporter.start(api, wantedNode(), events::add, new Supervisor(FatalAction.ofThread(), platform)));
    }

    private static NodeReporter.Wanted wantedNode() {
        AddressChoice host = new AddressChoice.Found(
                NodeAddresses.of(List.of(NodeAddress.internal(Ip.parse("10.0.0.1")))), AddressChoice.Source.HOST);
        return new NodeReporter.Wanted(
                "n1", AddressManagement.PROVIDE, Optional::empty, () -> host, () -> Host.EMPTY, "h");
    }

    @Test
    void anOutdatedVersionIsReadAgain() {
        AtomicInteger version = new AtomicInteger();
        api.onRead(target -> node(version.incrementAndGet(), ""));
        api.onWrite(request -> version.get() < 5 ? ScriptedApi.refused(409) : new Reply.Done(200, "{}"));
        NodeReporter reporter = nodeReporter();
        await().untilAsserted(() -> assertThat(events).hasSize(1));
        assertThat(api.written())
                .hasSize(5)
                .last()
                .asString()
                .startsWith("PATCH /api/v1/nodes/n1/status {\"metadata\":{\"resourceVersion\":\"5\"}");
        assertThat(events.getFirst().note()).isEqualTo("addresses are now InternalIP 10.0.0.1, Hostname h");
        assertThat(reporter.problem()).isEmpty();
    }

    /** Address, then taint: the second names the version that the first has made. */
    @Test
    void twoChangesAreTwoVersions() {
        AtomicInteger version = new AtomicInteger(1);
        api.onRead(target -> new Reply.Done(
                200,
                "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"" + version
                        + "\"},\"spec\":{\"taints\":["
                        + (version.get() < 3 ? "{\"key\":\"node.cloudprovider.kubernetes.io/uninitialized\"}" : "")
                        + "]},\"status\":{\"addresses\":["
                        + (version.get() < 2
                                ? ""
                                : "{\"type\":\"InternalIP\",\"address\":\"10.0.0.1\"},{\"type\":\"Hostname\",\"address\":\"h\"}")
                        + "]}}"));
        api.onWrite(request -> request.contains("\"resourceVersion\":\"" + version + "\"")
                ? new Reply.Done(200, "{\"v\":" + version.incrementAndGet() + "}")
                : ScriptedApi.refused(409));
        nodeReporter();
        await().until(() -> version.get() == 3);
        await().untilAsserted(() -> assertThat(api.written()).hasSize(2));
        assertThat(api.written().getFirst()).startsWith("PATCH /api/v1/nodes/n1/status ");
        assertThat(api.written().getLast()).startsWith("PATCH /api/v1/nodes/n1 ");
    }

    @Test
    void correctNodeIsNotWritten() {
        api.onRead(target -> node(
                1, "{\"type\":\"InternalIP\",\"address\":\"10.0.0.1\"},{\"type\":\"Hostname\",\"address\":\"h\"}"));
        NodeReporter reporter = nodeReporter();
        reporter.wakeUp();
        await().untilAsserted(() -> assertThat(api.asked).hasSizeGreaterThan(1));
        assertThat(api.written()).isEmpty();
    }

    @Test
    void stopsWhenAnotherWriterKeepsChangingIt() {
        api.onRead(target -> node(1, ""));
        NodeReporter reporter = nodeReporter();
        for (int i = 1; i <= 6; i++) {
            int looks = i;
            await().untilAsserted(() -> assertThat(api.asked.stream().filter(a -> a.startsWith("GET ")))
                    .hasSizeGreaterThanOrEqualTo(looks));
            reporter.wakeUp();
        }
        assertThat(api.written()).hasSize(3);
        await().untilAsserted(() -> assertThat(reporter.problem().orElse(""))
                .isEqualTo("another writer keeps changing the Node object, left alone for an hour:"
                        + " PATCH /api/v1/nodes/n1/status"));
        now = START.plus(Duration.ofHours(2));
        reporter.wakeUp();
        await().untilAsserted(() -> assertThat(api.written()).hasSizeGreaterThan(3));
    }

    /** Another value each time is no contest: the administrator changes the settings. */
    @Test
    void everyChangeOfTheSettingsIsWritten() {
        AtomicReference<String> given = new AtomicReference<>("");
        api.onRead(target -> new Reply.Done(
                200,
                "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"" + api.asked.size() + "\"},"
                        + "\"status\":{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"10.0.0.1\"}]}}"));
        NodeReporter reporter = opened(NodeReporter.start(
                api,
                new NodeReporter.Wanted(
                        "n1",
                        AddressManagement.ORDER,
                        () -> Optional.of(given.get())
                                .filter(text -> !text.isEmpty())
                                .map(NodeIps::parse),
                        () -> AddressChoice.None.YET,
                        () -> Host.EMPTY,
                        "h"),
                events::add,
                () -> now,
                Supervisor.none()));
        for (String network : List.of("10.0.0.0/8", "10.0.0.0/16", "10.0.0.0/24", "10.0.0.0/25", "10.0.0.0/26")) {
            given.set(network);
            reporter.wakeUp();
            await().untilAsserted(() -> assertThat(api.written())
                    .anySatisfy(request -> assertThat(request)
                            .startsWith("PATCH /api/v1/nodes/n1 ")
                            .contains("\"dualstackd.io/node-ips\":\"" + network + "\"")));
        }
        assertThat(reporter.problem()).isEmpty();
    }

    /** The host moves back and forth between two networks, and no other program writes: the object must not keep the address of the other one. */
    @Test
    void addressesThatComeBackOftenAreWritten() {
        AtomicReference<String> address = new AtomicReference<>("10.0.0.1");
        AtomicReference<String> stored = new AtomicReference<>("");
        api.onRead(target -> node(
                api.asked.size(),
                stored.get().isEmpty()
                        ? ""
                        : "{\"type\":\"InternalIP\",\"address\":\"" + stored
                                + "\"},{\"type\":\"Hostname\",\"address\":\"h\"}"));
        api.onWrite(request -> {
            stored.set(request.contains("10.0.0.1") ? "10.0.0.1" : "10.0.0.2");
            return new Reply.Done(200, "{}");
        });
        NodeReporter reporter = opened(NodeReporter.start(
                api,
                new NodeReporter.Wanted(
                        "n1",
                        AddressManagement.PROVIDE,
                        Optional::empty,
                        () -> new AddressChoice.Found(
                                NodeAddresses.of(List.of(NodeAddress.internal(Ip.parse(address.get())))),
                                AddressChoice.Source.HOST),
                        () -> Host.EMPTY,
                        "h"),
                events::add,
                () -> now,
                Supervisor.none()));
        for (int i = 0; i < 10; i++) {
            String next = i % 2 == 0 ? "10.0.0.1" : "10.0.0.2";
            address.set(next);
            reporter.wakeUp();
            await().untilAsserted(() -> assertThat(stored.get()).isEqualTo(next));
        }
        await().untilAsserted(() -> assertThat(reporter.problem()).isEmpty());
    }

    /** The object is deleted again and again, and kubelet creates it: each one gets its addresses. */
    @Test
    void anObjectThatIsMadeAgainIsWrittenAgain() {
        AtomicInteger made = new AtomicInteger();
        AtomicInteger written = new AtomicInteger();
        api.onRead(target -> new Reply.Done(
                200,
                "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"uid\":\"u" + made
                        + "\",\"resourceVersion\":\"1\"},\"status\":{\"addresses\":["
                        + (written.get() == made.get()
                                ? "{\"type\":\"InternalIP\",\"address\":\"10.0.0.1\"},{\"type\":\"Hostname\",\"address\":\"h\"}"
                                : "")
                        + "]}}"));
        api.onWrite(request -> {
            written.set(made.get());
            return new Reply.Done(200, "{}");
        });
        NodeReporter reporter = nodeReporter();
        for (int i = 1; i <= 5; i++) {
            made.set(i);
            reporter.wakeUp();
            int last = i;
            await().until(() -> written.get() == last);
        }
        await().untilAsserted(() -> assertThat(reporter.problem()).isEmpty());
        assertThat(api.written()).hasSize(5);
    }

    @Test
    void reportsRefusal() {
        api.onRead(target -> node(1, ""));
        api.onWrite(request -> ScriptedApi.refused(403));
        NodeReporter reporter = nodeReporter();
        await().untilAsserted(() -> assertThat(reporter.problem())
                .contains("PATCH /api/v1/nodes/n1/status was refused: 403 Because: of it"));
    }

    /** A check has up to ten requests. */
    @Test
    void aSlowServerDoesNotMakeTheReporterOverdue() throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        List<String> ends = new CopyOnWriteArrayList<>();
        api.onRead(target -> {
            platform.sleep(Duration.ofMinutes(2));
            return node(1, "");
        });
        api.onWrite(request -> {
            platform.sleep(Duration.ofMinutes(2));
            return ScriptedApi.refused(409);
        });
        platform.run(() -> {
            Supervisor supervisor = new Supervisor((why, cause) -> ends.add(why), platform).start();
            opened(NodeReporter.start(api, wantedNode(), events::add, supervisor));
            platform.sleep(Duration.ofMinutes(30));
            assertThat(api.written()).hasSizeGreaterThan(5);
            assertThat(ends).isEmpty();
            supervisor.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void retriesAFailedPatchSoon(boolean answered) throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        AtomicInteger failures = new AtomicInteger(1);
        api.onRead(target -> node(
                1,
                failures.get() < 0
                        ? "{\"type\":\"InternalIP\",\"address\":\"10.0.0.1\"},{\"type\":\"Hostname\",\"address\":\"h\"}"
                        : ""));
        api.onWrite(request -> failures.getAndDecrement() <= 0
                ? new Reply.Done(200, "{}")
                : answered ? ScriptedApi.refused(500) : new Reply.Failed("connection refused"));
        platform.run(() -> {
            NodeReporter reporter = nodeReporter(platform);
            platform.sleep(Duration.ofSeconds(5));
            assertThat(reporter.problem().orElse("")).contains(answered ? "was refused: 500" : "connection refused");
            platform.sleep(Duration.ofSeconds(10));
            assertThat(api.written()).hasSize(2);
            assertThat(reporter.problem()).isEmpty();
        });
    }

    @Test
    void leavesAnotherWriterAloneForAnHourThatTheClockCannotProlong() throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        api.onRead(target -> node(1, ""));
        platform.run(() -> {
            nodeReporter(platform);
            platform.sleep(Duration.ofMinutes(30));
            assertThat(api.written()).hasSize(3);
            platform.setClock(Duration.ofDays(-1));
            platform.sleep(Duration.ofMinutes(45));
            assertThat(api.written()).hasSizeGreaterThan(3);
        });
    }

    @Test
    void correctsAStatusAlsoAfterTheClockWasSetBack() throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        PodReporter.Wanted wanted = wantedPods();
        platform.run(() -> {
            PodReporter reporter = podReporter(wanted, platform);
            platform.sleep(Duration.ofSeconds(30));
            platform.setClock(Duration.ofDays(-1));
            platform.sleep(Duration.ofMinutes(1));
            assertThat(reporter.figures()).isEqualTo(new PodIpFigures(1, 1, 0, 1, 0));
        });
    }

    private PodReporter podReporter() {
        return opened(PodReporter.start(api, wantedPods(), events::add, () -> now, Supervisor.none()));
    }

    private PodReporter podReporter(PodReporter.Wanted wanted, SimulatedPlatform platform) {
        return opened(PodReporter.start(api, wanted, events::add, new Supervisor(FatalAction.ofThread(), platform)));
    }

    private PodReporter.Wanted wantedPods() {
        Pod.PodSandbox sandbox = new Pod.PodSandbox("s", 0, START, true, 1, true, false);
        List<Ip> ips = List.of(Ip.parse("10.0.0.1"), Ip.parse("fd00::1"));
        Pods pods = new Pods(List.of(new Pod("shop", "web", "u1", sandbox, false, ips, Map.of(), List.of())));
        api.onRead(
                target -> new Reply.Done(
                        200,
                        "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[{\"metadata\":{\"name\":\"web\","
                                + "\"namespace\":\"shop\",\"uid\":\"u1\"},\"spec\":{\"nodeName\":\"n1\"},"
                                + "\"status\":{\"phase\":\"Running\",\"podIP\":\"10.0.0.1\",\"podIPs\":[{\"ip\":\"10.0.0.1\"}]}}]}"));
        return new PodReporter.Wanted(
                "n1",
                () -> runtimeAnswers ? Optional.of(pods) : Optional.empty(),
                () -> new NodeNames(IpFamily.IPV4, List.of()));
    }

    private void lookAgain(PodReporter reporter) {
        await().untilAsserted(() -> assertThat(reporter.figures().compared()).isEqualTo(1));
        now = now.plusSeconds(60);
        reporter.wakeUp();
    }

    /** What the runtime last said may be older than the status. */
    @Test
    void podsAreNotComparedWhileTheRuntimeDoesNotAnswer() throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        PodReporter.Wanted wanted = wantedPods();
        platform.run(() -> {
            PodReporter reporter = podReporter(wanted, platform);
            platform.sleep(Duration.ofSeconds(30));
            assertThat(reporter.figures().compared()).isEqualTo(1);
            runtimeAnswers = false;
            platform.sleep(Duration.ofMinutes(10));
            assertThat(api.written()).isEmpty();
            assertThat(reporter.figures()).isEqualTo(PodIpFigures.NONE);
            runtimeAnswers = true;
            platform.sleep(Duration.ofMinutes(3));
            assertThat(api.written()).hasSize(1);
        });
    }

    @Test
    void wrongStatusIsReportedCountedAndCorrected() {
        PodReporter reporter = podReporter();
        lookAgain(reporter);
        await().untilAsserted(() -> assertThat(reporter.figures()).isEqualTo(new PodIpFigures(1, 1, 0, 1, 0)));
        assertThat(api.asked.getFirst())
                .isEqualTo("GET /api/v1/pods?resourceVersion=0&fieldSelector=spec.nodeName%3Dn1");
        assertThat(api.written())
                .singleElement()
                .asString()
                .startsWith("PATCH /api/v1/namespaces/shop/pods/web/status {\"metadata\":{\"uid\":\"u1\"}");
        assertThat(events)
                .singleElement()
                .satisfies(event ->
                        assertThat(event.note()).isEqualTo("podIPs should be 10.0.0.1,fd00::1 and are 10.0.0.1"));
    }

    @Test
    void withoutPermissionItTriesToCorrectEveryTenMinutes() throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        PodReporter.Wanted wanted = wantedPods();
        AtomicInteger refusals = new AtomicInteger(2);
        api.onWrite(request -> refusals.getAndDecrement() > 0 ? ScriptedApi.refused(403) : new Reply.Done(200, "{}"));
        platform.run(() -> {
            PodReporter reporter = podReporter(wanted, platform);
            platform.sleep(Duration.ofMinutes(9));
            assertThat(api.written()).hasSize(1);
            assertThat(reporter.figures()).isEqualTo(new PodIpFigures(1, 1, 0, 0, 1));
            platform.sleep(Duration.ofMinutes(30));
            assertThat(api.written()).hasSize(3);
            assertThat(reporter.figures()).isEqualTo(new PodIpFigures(1, 1, 0, 1, 2));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 408, 409, 429, 500, 502, 503, 504})
    void aStatusIsCorrectedWhenTheServerIsNoLongerBusy(int code) throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        PodReporter.Wanted wanted = wantedPods();
        AtomicInteger refusals = new AtomicInteger(1);
        api.onWrite(request -> refusals.getAndDecrement() > 0 ? ScriptedApi.refused(code) : new Reply.Done(200, "{}"));
        platform.run(() -> {
            PodReporter reporter = podReporter(wanted, platform);
            platform.sleep(Duration.ofMinutes(4));
            assertThat(api.written()).hasSize(2);
            assertThat(reporter.figures()).isEqualTo(new PodIpFigures(1, 1, 0, 1, 1));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 422})
    void aCorrectionThatTheServerRejectsIsNotRepeated(int code) throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        PodReporter.Wanted wanted = wantedPods();
        api.onWrite(request -> ScriptedApi.refused(code));
        platform.run(() -> {
            PodReporter reporter = podReporter(wanted, platform);
            platform.sleep(Duration.ofMinutes(30));
            assertThat(api.written()).hasSize(1);
            assertThat(reporter.figures()).isEqualTo(new PodIpFigures(1, 1, 0, 0, 1));
        });
    }
}
