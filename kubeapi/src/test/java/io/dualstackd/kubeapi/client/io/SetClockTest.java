package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.supervision.io.FatalAction;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A system clock that is set while the server cannot be reached: the outage is as long as before. */
final class SetClockTest {
    private final AtomicReference<Duration> set = new AtomicReference<>(Duration.ZERO);

    /** The process's platform, but for the system's time. */
    private Platform platform() {
        Platform real = Platform.system();
        return (Platform) Proxy.newProxyInstance(
                Platform.class.getClassLoader(), new Class<?>[] {Platform.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("instant")
                                ? real.instant().plus(set.get())
                                : method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {-24, 24})
    void anOutageIsAsLongAsBefore(int hours) {
        Platform platform = platform();
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1);
                TestCluster cluster = TestCluster.of(server)
                        .supervisor(new Supervisor(FatalAction.ofThread(), platform))
                        .start()) {
            cluster.awaitEqual();
            set.set(Duration.ofHours(hours));
            assertSince(platform, cluster);

            server.stop();
            await().until(() -> cluster.source().status().failure().isPresent());
            set.set(Duration.ZERO);
            assertSince(platform, cluster);
        }
    }

    /** On a busy machine a status may be the one from before. */
    private static void assertSince(Platform platform, TestCluster cluster) {
        await().untilAsserted(
                        () -> assertThat(since(platform, cluster)).isBetween(Duration.ZERO, Duration.ofMinutes(10)));
    }

    private static Duration since(Platform platform, TestCluster cluster) {
        ClusterStatus status = cluster.source().status();
        Instant now = platform.instant();
        return Duration.between(status.since(), now);
    }
}
