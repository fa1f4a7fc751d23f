package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.RequestObserver;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.supervision.io.Supervisor;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The status of the API server can be read while the thread {@code api} is stuck. */
final class StuckApiThreadTest {
    /** Two seconds for each question would be 120. */
    @Test
    @Timeout(60)
    void answersFromLastKnownState() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        RequestObserver observer = new RequestObserver() {
            @Override
            public void answered(String method, int status) {
                stuck.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void unanswered(String method) {}

            @Override
            public void took(String method, long nanos) {}
        };
        try (TestApiServer server = TestApiServer.plain();
                ClusterSource source = ClusterSource.start(
                        server.access(),
                        Credentials.NONE,
                        new ClusterSettings(Optional.empty(), Optional.empty(), WireFormat.PROTOBUF, 0, 0),
                        new ClusterSource.Wanted("n1", true),
                        new Store(),
                        new ClusterSource.Callbacks(() -> {}, observer),
                        ClusterSource.Network.system(),
                        Supervisor.none())) {
            stuck.await();
            for (int i = 0; i < 60; i++) {
                assertThat(source.status().synced()).isFalse();
            }
            over.countDown();
        }
    }
}
