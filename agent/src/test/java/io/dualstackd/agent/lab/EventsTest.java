package io.dualstackd.agent.lab;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static io.dualstackd.cri.v1.ContainerEventType.CONTAINER_CREATED_EVENT;
import static io.dualstackd.cri.v1.ContainerEventType.CONTAINER_STARTED_EVENT;
import static io.dualstackd.cri.v1.ContainerEventType.CONTAINER_STOPPED_EVENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.cri.v1.VersionRequest;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The events that generations of containerd send about their pods, and why the product treats them as hints: 1.6 sends none, 1.7 divides
 * them among its listeners, 2.x sends all of them to each. Their answers to requests are the same.
 */
@RealRuntime
@Tag("kernel")
class EventsTest {
    private static final int PODS = 4;

    static List<RuntimeVersion> versions() {
        return List.of(RuntimeVersion.INSTALLED, RuntimeVersion.fetched("1.7"), RuntimeVersion.fetched("2.1"));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void unsolicitedEvents(RuntimeVersion version) throws Exception {
        try (PodLab lab = PodLab.open(version, Cni.dualStack(Cni.Plugin.BRIDGE))) {
            String number =
                    lab.cri().now().version(VersionRequest.getDefaultInstance()).getRuntimeVersion();
            if (!version.equals(RuntimeVersion.INSTALLED)) {
                assertThat(number).contains(version.name() + ".");
            }
            if (number.matches("v?1\\.[0-6]\\..*")) {
                assertReceivesNothing(lab);
            } else if (number.matches("v?1\\..*")) {
                assertEachReceivesAPart(lab);
            } else {
                assertAllReceiveEverything(lab);
            }
        }
    }

    private static void assertReceivesNothing(PodLab lab) {
        try (EventLog log = EventLog.of(lab.cri())) {
            assertThat(log.end().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
        }
    }

    /** An event that one subscriber receives does not reach the other. */
    private static void assertEachReceivesAPart(PodLab lab) {
        try (EventLog one = subscribed(lab);
                EventLog other = subscribed(lab)) {
            List<EventLog.Received> expected = new ArrayList<>();
            for (int i = 0; i < PODS; i++) {
                expected.addAll(liveAndDie(lab, "split-" + i));
            }
            eventually().untilAsserted(() -> {
                List<EventLog.Received> together = new ArrayList<>(one.received());
                together.addAll(other.received());
                assertThat(together).containsAll(expected);
            });
            assertThat(one.received()).doesNotContainAnyElementsOf(other.received());
            assertThat(one.received()).isNotEmpty();
            assertThat(other.received()).isNotEmpty();
        }
    }

    private static void assertAllReceiveEverything(PodLab lab) {
        List<EventLog.Received> expected = new ArrayList<>();
        try (EventLog one = subscribed(lab)) {
            try (EventLog other = subscribed(lab)) {
                for (int i = 0; i < PODS; i++) {
                    expected.addAll(liveAndDie(lab, "all-" + i));
                }
                eventually().untilAsserted(() -> assertThat(other.received()).containsAll(expected));
            }
            // A listener that leaves takes nothing with it.
            expected.addAll(liveAndDie(lab, "later"));
            eventually().untilAsserted(() -> assertThat(one.received()).containsAll(expected));
        }
    }

    /** A subscription is not acknowledged: it is in force once an event of a pod arrives. */
    private static EventLog subscribed(PodLab lab) {
        EventLog log = EventLog.of(lab.cri());
        for (int attempt = 0; log.received().isEmpty(); attempt++) {
            liveAndDie(lab, "probe-" + attempt);
        }
        return log;
    }

    /** The events of a pod from its start to its removal. */
    private static List<EventLog.Received> liveAndDie(PodLab lab, String name) {
        LabPod pod = lab.run(LabPodSpec.named(name).withoutContainer());
        assertThat(pod.ips()).extracting(Ip::family).containsExactly(IpFamily.IPV4, IpFamily.IPV6);
        lab.remove(pod);
        return List.of(
                new EventLog.Received(pod.sandbox(), CONTAINER_CREATED_EVENT),
                new EventLog.Received(pod.sandbox(), CONTAINER_STARTED_EVENT),
                new EventLog.Received(pod.sandbox(), CONTAINER_STOPPED_EVENT));
    }
}
