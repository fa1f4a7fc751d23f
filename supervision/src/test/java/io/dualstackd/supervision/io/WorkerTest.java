package io.dualstackd.supervision.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WorkerTest {
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final Supervisor supervisor = new Supervisor((why, cause) -> ends.add(why + ": " + cause));

    @Test
    void aLoopThatFailsIsStartedAgainAndCounted() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch works = new CountDownLatch(1);
        Worker worker = supervisor
                .worker(Component.EVENTS, heartbeat -> {
                    switch (runs.incrementAndGet()) {
                        case 1 -> throw new IllegalStateException("a mistake");
                        case 2 -> throw new IOException("no file descriptor");
                        default -> {
                            works.countDown();
                            Thread.sleep(Long.MAX_VALUE);
                        }
                    }
                })
                .start();
        works.await();
        ComponentState state = supervisor.states().getFirst();
        assertThat(state.component()).isEqualTo(Component.EVENTS);
        assertThat(state.restarts()).isEqualTo(2);
        assertThat(state.lastFailure().orElseThrow().what()).contains("no file descriptor");
        worker.interrupt();
        worker.join();
        assertThat(supervisor.states()).isEmpty();
        assertThat(ends).isEmpty();
    }

    @Test
    void anErrorEndsTheProcess() {
        supervisor
                .worker(Component.NOTIFY, heartbeat -> {
                    throw new OutOfMemoryError("played");
                })
                .start()
                .join();
        assertThat(ends).singleElement().asString().contains("notify", "played");
    }

    @Test
    void oneThatIsStoppedWhileItWaitsForItsNextStartEndsAtOnce() {
        Worker worker = supervisor
                .worker(Component.SETTINGS, heartbeat -> {
                    throw new IllegalStateException("again and again");
                })
                .start();
        await().until(() -> supervisor.states().getFirst().restarts() >= 2);
        worker.stop();
        worker.join();
        assertThat(supervisor.states()).isEmpty();
    }

    @Test
    void theThreadHasTheNameOfItsRow() throws InterruptedException {
        CopyOnWriteArrayList<String> name = new CopyOnWriteArrayList<>();
        supervisor
                .worker(
                        Component.HEAP,
                        heartbeat -> name.add(Thread.currentThread().getName()))
                .start()
                .join();
        assertThat(name).containsExactly("heap");
        for (Component component : Component.values()) {
            assertThat(Component.ofThread(component.toString())).contains(component);
        }
        assertThat(Component.ofThread("bind-healthz")).contains(Component.HEALTH);
        assertThat(Component.ofThread("nobody")).isEmpty();
    }
}
