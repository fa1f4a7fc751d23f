package io.dualstackd.node.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes while the former one is still being looked at. */
@Tag("kernel")
final class NodeAddressTrackerTest {
    private static final NodeSettings NODE =
            NodeSettingsBuilder.node("n").ips("192.0.2.1").settings();

    private final AtomicInteger notifications = new AtomicInteger();
    /** Whether objects were read completely; answered before {@link #meanwhile} runs once. */
    private volatile boolean complete;

    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    private boolean isComplete() {
        boolean answer = complete;
        meanwhile.getAndSet(() -> {}).run();
        return answer;
    }

    /** It is told again with the next look, and the others are told all the same. */
    @Test
    void aListenerThatFailsIsToldAgain() throws Exception {
        complete = true;
        AtomicInteger choices = new AtomicInteger();
        AtomicBoolean fails = new AtomicBoolean(true);
        AtomicBoolean failsToo = new AtomicBoolean(true);
        try (NetNs ns = FreshNetNs.create();
                NodeAddressTracker tracker = NodeAddressTracker.start(
                        NODE,
                        ns,
                        new NodeAddressTracker.Objects(this::isComplete, name -> Optional.empty()),
                        name -> List.of())) {
            tracker.onChoice(() -> fail(fails));
            tracker.onChoice(choices::incrementAndGet);
            tracker.onChange(() -> fail(failsToo));
            tracker.onChange(notifications::incrementAndGet);
            assertThatThrownBy(() -> tracker.follow(NODE)).hasMessage("made up");
            assertThat(choices).hasValue(1);
            assertThat(notifications).hasValue(0);
            assertThatThrownBy(() -> tracker.follow(NODE)).hasMessage("made up");
            assertThat(choices).hasValue(2);
            assertThat(notifications).hasValue(1);
            tracker.follow(NODE);
            assertThat(choices).hasValue(2);
            assertThat(notifications).hasValue(2);
            tracker.follow(NODE);
            assertThat(choices).hasValue(2);
            assertThat(notifications).hasValue(2);
        }
    }

    /** {@code dualstackd explain} may ask at any time, also while the API server cannot be reached. */
    @Test
    void aQuestionBeforeItIsSettledChoosesNothing() throws Exception {
        AtomicInteger choices = new AtomicInteger();
        try (NetNs ns = FreshNetNs.create();
                NodeAddressTracker tracker = NodeAddressTracker.start(
                        NODE,
                        ns,
                        new NodeAddressTracker.Objects(this::isComplete, name -> Optional.empty()),
                        name -> List.of())) {
            tracker.onChoice(choices::incrementAndGet);
            assertThat(tracker.own(IpFamily.IPV4).nodeIp()).hasValue(Ip.parse("192.0.2.1"));
            assertThat(choices).hasValue(0);
            complete = true;
            tracker.follow(NODE);
            assertThat(choices).hasValue(1);
        }
    }

    /** DNS and pods on the host's network go on in the family that is there. */
    @Test
    void aGivenAddressThatIsMissingLeavesTheOtherFamily() throws Exception {
        complete = true;
        Ip four = Ip.parse("192.0.2.10");
        Ip six = Ip.parse("2001:db8::10");
        NodeSettings both = NodeSettingsBuilder.node("n").ips(four + "," + six).settings();
        try (NetNs ns = FreshNetNs.create()) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("ip", "link", "add", "wire", "type", "veth", "peer", "name", "other");
            commands.run("ip", "link", "set", "other", "up");
            commands.run("ip", "link", "set", "wire", "up");
            commands.run("ip", "address", "add", four + "/24", "dev", "wire");
            commands.run("ip", "address", "add", six + "/64", "dev", "wire", "nodad");
            try (NodeAddressTracker tracker = NodeAddressTracker.start(
                    both,
                    ns,
                    new NodeAddressTracker.Objects(this::isComplete, name -> Optional.empty()),
                    name -> List.of())) {
                assertThat(tracker.nodeIps()).containsExactly(four, six);
                commands.run("ip", "address", "del", six + "/64", "dev", "wire");
                await().untilAsserted(() -> assertThat(tracker.nodeIps()).containsExactly(four));
                assertThat(tracker.refused()).isPresent();
                commands.run("ip", "address", "del", four + "/24", "dev", "wire");
                await().untilAsserted(() -> assertThat(tracker.nodeIps()).isEmpty());
            }
        }
    }

    private static void fail(AtomicBoolean once) {
        if (once.getAndSet(false)) {
            throw new IllegalStateException("made up");
        }
    }

    /** The threads that follow the host and DNS may see two states at the same time, and the one that saw the former ends last. */
    @Test
    void whatWasSeenBeforeDoesNotHideTheNextChange() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NodeAddressTracker tracker = NodeAddressTracker.start(
                        NODE,
                        ns,
                        new NodeAddressTracker.Objects(this::isComplete, name -> Optional.empty()),
                        name -> List.of())) {
            tracker.onChange(notifications::incrementAndGet);
            tracker.follow(NODE);
            int before = notifications.get();
            meanwhile.set(() -> {
                complete = true;
                tracker.follow(NODE);
            });
            tracker.follow(NODE);
            assertThat(notifications.get()).isGreaterThan(before);
            int between = notifications.get();
            complete = false;
            tracker.follow(NODE);
            assertThat(notifications.get()).isGreaterThan(between);
        }
    }
}
