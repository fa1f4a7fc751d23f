package io.dualstackd.agent.reconcile.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.supervision.sys.Platform;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Signals that come at any moment of a wait. */
final class WakeupTest {
    private final AtomicReference<Runnable> afterTimeout = new AtomicReference<>(() -> {});

    /** A platform on which something happens right after a wait has timed out, before its caller goes on. */
    private Platform platform() {
        return (Platform) Proxy.newProxyInstance(
                Platform.class.getClassLoader(), new Class<?>[] {Platform.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(Platform.system(), arguments);
                    return result instanceof Platform.Permits permits ? watched(permits) : result;
                });
    }

    private Platform.Permits watched(Platform.Permits permits) {
        return (Platform.Permits) Proxy.newProxyInstance(
                Platform.class.getClassLoader(),
                new Class<?>[] {Platform.Permits.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(permits, arguments);
                        if (arguments != null && Boolean.FALSE.equals(result)) {
                            afterTimeout.getAndSet(() -> {}).run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aSignalRightAfterATimeoutEndsTheNextWait() throws InterruptedException {
        Wakeup wakeup = new Wakeup(platform(), () -> {});
        afterTimeout.set(wakeup::urgently);
        assertThat(wakeup.await(Duration.ofMillis(10))).isFalse();
        assertThat(wakeup.isPending()).isTrue();
        assertThat(wakeup.await(Duration.ofSeconds(10))).isTrue();
        assertThat(wakeup.isPending()).isFalse();
    }
}
