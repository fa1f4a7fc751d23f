package io.dualstackd.pods.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import io.dualstackd.pods.cri.io.FakeRuntime;
import io.dualstackd.pods.cri.io.RuntimeClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CriPodsTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger nudges = new AtomicInteger();
    /** Called by each thread that asks for the time. */
    private final AtomicReference<Runnable> onTime = new AtomicReference<>(() -> {});

    private final Path folder = Files.createTempDirectory(Path.of("/tmp"), "dsd");
    private final FakeRuntime runtime = FakeRuntime.listening(folder.resolve("s"))
            .answers("ListPodSandbox", request -> ListPodSandboxResponse.getDefaultInstance());
    private final CriPods pods = new CriPods(
            RuntimeClient.open(
                    RuntimeEndpoint.parse(folder.resolve("s").toString()),
                    new RuntimeTimeouts(Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(2))),
            this::time);

    CriPodsTest() throws Exception {
        pods.listen(nudges::incrementAndGet);
    }

    @AfterEach
    void end() throws Exception {
        pods.close();
        runtime.close();
        Files.delete(folder);
    }

    private long time() {
        onTime.get().run();
        return now.get();
    }

    private void list() {
        assertThat(pods.sandboxes()).isInstanceOf(RuntimeResult.Ok.class);
    }

    private int subscriptions() {
        return Collections.frequency(runtime.calls(), "GetContainerEvents");
    }

    @Test
    void requestsEventsOnceFromRuntimeWithoutThem() {
        list();
        await().until(() -> pods.events() == EventFlow.NOT_OFFERED);
        list();
        list();
        assertThat(subscriptions()).isEqualTo(1);
        assertThat(pods.events()).isEqualTo(EventFlow.NOT_OFFERED);
        assertThat(nudges).hasValue(0);
    }

    @Test
    void eventsNudge() {
        runtime.sendsEvents();
        list();
        await().until(() -> runtime.listeners() == 1);
        assertThat(pods.events()).isEqualTo(EventFlow.FLOWING);
        runtime.send(ContainerEventResponse.newBuilder().setContainerId("x").build());
        await().until(() -> nudges.get() == 1);
        now.addAndGet(TimeUnit.SECONDS.toNanos(60));
        runtime.endStreams();
        await().until(() -> nudges.get() == 2);
        assertThat(pods.events()).isEqualTo(EventFlow.BROKEN);
        list();
        await().until(() -> runtime.listeners() == 1);
    }

    /** The end of a stream is noticed while the lists are read: it must not count as that of the next stream. */
    @Test
    void theEndOfAStreamIsOverBeforeTheNextOneIsOpened() throws Exception {
        runtime.sendsEvents();
        list();
        await().until(() -> runtime.listeners() == 1);
        now.addAndGet(TimeUnit.SECONDS.toNanos(60));
        CountDownLatch ending = new CountDownLatch(1);
        CountDownLatch listed = new CountDownLatch(1);
        onTime.set(() -> {
            if (Thread.currentThread().getName().equals("cri")) {
                ending.countDown();
                awaitLatch(listed);
            } else {
                runtime.endStreams();
                awaitLatch(ending);
            }
        });
        list();
        onTime.set(() -> {});
        listed.countDown();
        await().until(() -> nudges.get() == 1);
        list();
        await().until(() -> runtime.listeners() == 1);
        assertThat(pods.events()).isEqualTo(EventFlow.FLOWING);
        assertThat(subscriptions()).isEqualTo(2);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStreamThatEndsAtOnceIsNotOpenedAgainAtOnce() {
        runtime.sendsEvents();
        long wait = TimeUnit.SECONDS.toNanos(1);
        for (int times = 1; times <= 3; times++) {
            list();
            await().until(() -> runtime.listeners() == 1);
            assertThat(subscriptions()).isEqualTo(times);
            runtime.endStreams();
            await().until(() -> pods.events() == EventFlow.BROKEN);
            now.addAndGet(wait - 1);
            list();
            assertThat(subscriptions()).isEqualTo(times);
            now.addAndGet(1);
            wait *= 2;
        }
        assertThat(nudges).hasValue(0);
    }
}
