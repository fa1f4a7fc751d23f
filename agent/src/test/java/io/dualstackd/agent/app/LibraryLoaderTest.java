package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class LibraryLoaderTest {
    @Test
    void whatIsLoadedIsThereAfterwards() throws Exception {
        CountDownLatch begins = new CountDownLatch(1);
        AtomicBoolean loaded = new AtomicBoolean();
        LibraryLoader loader = new LibraryLoader(
                () -> {
                    awaitQuietly(begins);
                    loaded.set(true);
                },
                Duration.ofMinutes(1));
        assertThat(loaded).isFalse();
        begins.countDown();
        loader.await();
        assertThat(loaded).isTrue();
    }

    /** A start that hangs would look as if it went on. */
    @Test
    void aLoadThatDoesNotEndEndsTheStart() {
        CountDownLatch never = new CountDownLatch(1);
        LibraryLoader loader = new LibraryLoader(() -> awaitQuietly(never), Duration.ofMillis(20));
        try {
            assertThatThrownBy(loader::await)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the libraries of connections to the API server are not loaded after 0 s");
        } finally {
            never.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
