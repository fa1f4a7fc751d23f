package io.dualstackd.pods.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.supervision.Heartbeat;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PodListerTest {
    private final ScriptedRuntime runtime = new ScriptedRuntime();
    private final PodLister lister =
            new PodLister(runtime, () -> new NodeNames(IpFamily.IPV4, List.of()), () -> PodCidrs.NONE);

    private void list() {
        assertThat(lister.run(Instant.parse("2026-11-21T08:00:00Z"), true, Heartbeat.NONE))
                .isTrue();
    }

    private long asked(String call) {
        return Collections.frequency(runtime.calls, call);
    }

    @Test
    void namesASandboxWhoseStatusCouldNotBeRead() {
        runtime.has("web", true, 0, "10.0.0.1");
        runtime.has("dns", true, 0, "10.0.0.2");
        runtime.broken("web", true);
        list();
        assertThat(lister.unread()).containsExactly("id-web");
        runtime.broken("web", false);
        list();
        assertThat(lister.unread()).isEmpty();
        assertThat(lister.pods().find("shop", "web").orElseThrow().ips()).hasSize(1);
        list();
        assertThat(asked("look id-web")).isEqualTo(2);
        assertThat(asked("look id-dns")).isEqualTo(1);
    }

    /** The lists stay the same, and a runtime whose events are relied on causes no other reading. */
    @Test
    void readsTheSameListsAgainAfterAnException() {
        runtime.has("web", true, 0, "10.0.0.1");
        list();
        runtime.has("dns", true, 0, "10.0.0.2");
        runtime.throwing(true);
        assertThatThrownBy(this::list).hasMessage("a mistake");
        runtime.throwing(false);
        list();
        assertThat(lister.pods().find("shop", "dns").orElseThrow().ips()).hasSize(1);
    }

    /** Its request ends with the timeout each time. */
    @Test
    void aSandboxWhoseStatusNeverComesKeepsNoneOfTheOthersUnread() {
        runtime.has("dns", true, 0, "10.0.0.1");
        runtime.has("web", true, 0, "10.0.0.2");
        runtime.hanging("dns");
        list();
        list();
        assertThat(lister.pods().find("shop", "web").orElseThrow().ips()).hasSize(1);
        assertThat(lister.unread()).containsExactly("id-dns");
        runtime.has("new", true, 0, "10.0.0.3");
        list();
        assertThat(lister.pods().find("shop", "new").orElseThrow().ips()).hasSize(1);
    }

    /** In which nothing else is read. */
    @Test
    void aStatusThatNeverComesIsRequestedLessAndLessOften() throws InterruptedException {
        runtime.has("dns", true, 0, "10.0.0.1");
        runtime.has("starting", true, 0);
        runtime.hanging("dns");
        long start = System.nanoTime();
        do {
            list();
            Thread.sleep(1);
        } while (System.nanoTime() - start < 1_500_000_000);
        // Each takes 0.1 s, and the pauses between them 0, 0.1, 0.2 and 0.3 s.
        assertThat(asked("look id-dns")).isBetween(3L, 5L);
        assertThat(asked("look id-starting")).isGreaterThan(20);
    }

    @Test
    void whatOthersAnsweredIsPassedOnBeforeAStatusIsRequestedThatDidNotCome() {
        runtime.has("dns", true, 0, "10.0.0.1");
        runtime.hanging("dns");
        list();
        runtime.has("web", true, 0, "10.0.0.2");
        list();
        assertThat(asked("look id-dns")).isEqualTo(1);
        assertThat(lister.pods().find("shop", "web").orElseThrow().ips()).hasSize(1);
        list();
        assertThat(asked("look id-dns")).isEqualTo(2);
    }

    @Test
    void namesAReadySandboxWithoutAddress() {
        runtime.has("web", true, 0);
        list();
        assertThat(lister.unread()).containsExactly("id-web");
        runtime.has("web", true, 0, "10.0.0.1");
        list();
        assertThat(lister.unread()).isEmpty();
    }
}
