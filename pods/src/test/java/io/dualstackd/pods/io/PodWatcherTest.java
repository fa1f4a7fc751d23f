package io.dualstackd.pods.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.Pods;
import io.dualstackd.supervision.io.Supervisor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kernel")
final class PodWatcherTest {
    private record Change(Pods before, Pods after, boolean first) {
        List<String> alive() {
            return after.all().stream().filter(Pod::isAlive).map(Pod::name).toList();
        }
    }

    @TempDir
    private Path proc;

    @TempDir
    private Path state;

    private final ScriptedRuntime runtime = new ScriptedRuntime();
    private final BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
    /** Whether the listener throws at the next change. */
    private final AtomicBoolean mistaken = new AtomicBoolean();

    private volatile PodCidrs cidrs = PodCidrs.NONE;
    private volatile IpFamily preferred = IpFamily.IPV4;
    private @Nullable PodWatcher started;

    private void start() throws Exception {
        started = PodWatcher.start(
                runtime,
                () -> new NodeNames(preferred, List.of()),
                () -> cidrs,
                (before, after, first) -> {
                    if (mistaken.getAndSet(false)) {
                        throw new IllegalStateException("once");
                    }
                    changes.add(new Change(before, after, first));
                },
                SavedPodsFile.in(state),
                proc,
                Supervisor.none());
    }

    private PodWatcher watch() {
        return Objects.requireNonNull(started);
    }

    @AfterEach
    void stop() {
        watch().close();
        assertThat(runtime.calls).endsWith("close");
    }

    private Change next() throws InterruptedException {
        Change change = changes.poll(1, TimeUnit.MINUTES);
        assertThat(change).isNotNull();
        return change;
    }

    private long asked(String call) {
        return Collections.frequency(runtime.calls, call);
    }

    @Test
    void podsComeAndGoWithoutEvents() throws Exception {
        start();
        assertThat(next().first()).isTrue();
        assertThat(watch().awaitFirst(Duration.ofMinutes(1))).isTrue();
        runtime.has("web", true, 0, "10.0.0.1", "fd01::1");
        assertThat(next().alive()).containsExactly("web");
        assertThat(watch().pods().find("shop", "web").orElseThrow().ips()).hasSize(2);
        runtime.has("web", false, 0);
        assertThat(next().alive()).isEmpty();
        runtime.remove("web");
        assertThat(next().after().all()).isEmpty();
        assertThat(asked("look id-web")).isEqualTo(2);
    }

    @Test
    void aChangeThatTheListenerDidNotTakeIsPassedOnAgain() throws Exception {
        start();
        next();
        mistaken.set(true);
        runtime.has("web", true, 0, "10.0.0.1");
        Change change = next();
        assertThat(mistaken).isFalse();
        assertThat(change.before().all()).isEmpty();
        assertThat(change.alive()).containsExactly("web");
    }

    /** No event of the runtime could report it. */
    @Test
    void aChangeOfTheNodeIsNoReasonToDoubtEvents() throws Exception {
        runtime.has("web", true, 0, "10.0.0.1", "fd01::1");
        start();
        next();
        runtime.flow(EventFlow.FLOWING);
        await().until(() -> watch().runtime().events() == EventFlow.FLOWING);
        preferred = IpFamily.IPV6;
        watch().wakeUp();
        assertThat(next().after().all().getFirst().ips()).first().isEqualTo(Ip.parse("fd01::1"));
        // Ten seconds after they began.
        await().atMost(Duration.ofMinutes(1)).until(() -> watch().runtime().trusted());
    }

    /** No event of the runtime reports that a status can be read now. */
    @Test
    void aStatusThatIsReadLateIsNoReasonToDoubtEvents() throws Exception {
        runtime.has("web", true, 0, "10.0.0.1");
        runtime.broken("web", true);
        start();
        next();
        runtime.flow(EventFlow.FLOWING);
        await().until(() -> watch().runtime().events() == EventFlow.FLOWING);
        runtime.broken("web", false);
        assertThat(next().after().all().getFirst().ips()).hasSize(1);
        await().atMost(Duration.ofSeconds(20)).until(() -> watch().runtime().trusted());
    }

    @Test
    void anEventThatComesWhileTheListIsReadIsNotMissing() throws Exception {
        start();
        next();
        runtime.flow(EventFlow.FLOWING);
        await().until(() -> watch().runtime().events() == EventFlow.FLOWING);
        runtime.beforeTheNextList(() -> {
            runtime.has("web", true, 0, "10.0.0.1");
            runtime.event();
        });
        assertThat(next().alive()).containsExactly("web");
        await().atMost(Duration.ofSeconds(20)).until(() -> watch().runtime().trusted());
    }

    @Test
    void outageRemovesNoPod() throws Exception {
        runtime.has("web", true, 0, "10.0.0.1");
        start();
        next();
        runtime.silent(true);
        await().until(() -> watch().runtime().outage().isPresent());
        assertThat(watch().pods().all()).hasSize(1);
        assertThat(watch().runtime().outage().orElseThrow().reason()).contains("connection refused");
        runtime.silent(false);
        runtime.has("dns", true, 0, "10.0.0.2");
        assertThat(next().alive()).containsExactly("dns", "web");
        assertThat(watch().runtime().outage()).isEmpty();
        assertThat(asked("look id-web")).isEqualTo(1);
    }

    @Test
    void waitsForRuntimeThatNeverAnswered() throws Exception {
        runtime.silent(true);
        start();
        await().until(() -> watch().runtime().outage().isPresent());
        assertThat(watch().awaitFirst(Duration.ZERO)).isFalse();
        runtime.silent(false);
        assertThat(next().first()).isTrue();
    }

    @Test
    void podsAreRememberedUntilTheRuntimeAnswers() throws Exception {
        runtime.has("web", true, 0, "10.0.0.1");
        start();
        next();
        assertThat(watch().remembers()).isFalse();
        // Written on the way out, too, whatever moment that is.
        watch().close();
        runtime.silent(true);
        start();
        assertThat(next().alive()).containsExactly("web");
        assertThat(watch().remembers()).isTrue();
        await().until(() -> watch().runtime().outage().isPresent());
        assertThat(watch().pods().all()).hasSize(1);
        runtime.remove("web");
        runtime.has("dns", true, 0, "10.0.0.2");
        runtime.silent(false);
        Change first = next();
        assertThat(first.first()).isTrue();
        assertThat(first.alive()).containsExactly("dns");
        assertThat(watch().awaitFirst(Duration.ofMinutes(1))).isTrue();
        assertThat(watch().remembers()).isFalse();
        Path file = state.resolve("pods");
        await().until(() -> new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("uid-dns"));
    }

    /** No later change may come that would save them. */
    @Test
    void podsThatCannotBeSavedAreSavedLater() throws Exception {
        Path obstacle = Files.createDirectory(state.resolve(".pods"));
        runtime.has("web", true, 0, "10.0.0.1");
        start();
        next();
        Path file = state.resolve("pods");
        // A moment later than the first attempt.
        await().pollDelay(Duration.ofSeconds(1)).until(() -> Files.notExists(file));
        Files.delete(obstacle);
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(file));
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                .contains("uid-web");
    }

    @Test
    void aRememberedPodWithoutItsProcessIsOver() throws Exception {
        Process pause = new ProcessBuilder("sleep", "1000").start();
        try {
            runtime.has("web", true, (int) pause.pid(), "10.0.0.1");
            runtime.has("unseen", true, 0, "10.0.0.2");
            Path group = Files.createDirectories(proc.resolve(Long.toString(pause.pid())));
            Files.writeString(group.resolve("cgroup"), "0::/pods/id-web\n");
            start();
            assertThat(next().alive()).containsExactly("unseen", "web");
            watch().close();
            runtime.silent(true);
            start();
            assertThat(next().alive()).containsExactly("unseen", "web");
            pause.destroyForcibly().waitFor();
            assertThat(next().alive()).containsExactly("unseen");
            watch().close();
            start();
            assertThat(next().alive()).containsExactly("unseen");
        } finally {
            pause.destroyForcibly();
        }
    }

    @Test
    void aFileThatIsDamagedIsNoFile() throws Exception {
        Files.writeString(state.resolve("pods"), "dualstackd pods, format 2\n?");
        runtime.silent(true);
        start();
        assertThat(watch().remembers()).isFalse();
        assertThat(watch().pods()).isEqualTo(Pods.NONE);
    }

    @Test
    void exitEventPrecedesRuntimeReport() throws Exception {
        Process pause = new ProcessBuilder("sleep", "1000").start();
        try {
            runtime.has("web", true, (int) pause.pid(), "10.0.0.1");
            Path group = Files.createDirectories(proc.resolve(Long.toString(pause.pid())));
            Files.writeString(group.resolve("cgroup"), "0::/pods/id-web\n");
            start();
            assertThat(next().alive()).containsExactly("web");
            long before = asked("sandboxes");
            pause.destroyForcibly().waitFor();
            // The runtime still says that it is ready.
            assertThat(next().alive()).isEmpty();
            // It is asked until it reports the end, too, or keeps reporting that the sandbox is ready.
            await().until(() -> asked("sandboxes") >= before + 3);
            assertThat(next().alive()).containsExactly("web");
            runtime.has("web", false, 0, "10.0.0.1");
            assertThat(next().alive()).isEmpty();
        } finally {
            pause.destroyForcibly();
        }
    }

    /** The runtime notices each exit later than the kernel, so at any moment the end of some pod is in doubt. */
    @Test
    void podsThatEndOneAfterAnotherStayEnded() throws Exception {
        List<Process> pauses = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Process pause = new ProcessBuilder("sleep", "1000").start();
                pauses.add(pause);
                runtime.has("web" + i, true, (int) pause.pid(), "10.0.0." + i);
                Path group = Files.createDirectories(proc.resolve(Long.toString(pause.pid())));
                Files.writeString(group.resolve("cgroup"), "0::/pods/id-web" + i + "/\n");
            }
            start();
            assertThat(next().alive()).hasSize(20);
            for (int i = 0; i < 20; i++) {
                pauses.get(i).destroyForcibly().waitFor();
                Thread.sleep(100);
                if (i > 0) {
                    runtime.has("web" + (i - 1), false, 0);
                }
            }
            runtime.has("web19", false, 0);
            int alive = 20;
            while (alive > 0) {
                int now = next().alive().size();
                assertThat(now).isLessThanOrEqualTo(alive);
                alive = now;
            }
        } finally {
            pauses.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void eventCausesListing() throws Exception {
        start();
        next();
        runtime.flow(EventFlow.FLOWING);
        for (int i = 0; i < 5; i++) {
            runtime.has("web" + i, true, 0, "10.0.0." + i);
            runtime.event();
            assertThat(next().alive()).hasSize(i + 1);
        }
        assertThat(watch().runtime().events()).isEqualTo(EventFlow.FLOWING);
    }

    @Test
    void sendsNetworksUntilRuntimeAcceptsThem() throws Exception {
        runtime.refusing(true);
        cidrs = PodCidrs.parse("10.244.1.0/24,fd00:244:1::/64");
        String announcement = "announce 10.244.1.0/24,fd00:244:1::/64";
        start();
        await().until(() -> asked(announcement) >= 2);
        long refused = asked(announcement);
        runtime.refusing(false);
        await().until(() -> asked(announcement) > refused);
        cidrs = PodCidrs.parse("10.244.2.0/24");
        watch().wakeUp();
        await().until(() -> asked("announce 10.244.2.0/24") == 1);
        runtime.silent(true);
        await().until(() -> watch().runtime().outage().isPresent());
        runtime.silent(false);
        await().until(() -> asked("announce 10.244.2.0/24") == 2);
        runtime.restarted();
        await().until(() -> asked("announce 10.244.2.0/24") == 3);
    }
}
