package io.dualstackd.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ThreadTimesTest {
    @Test
    @Timeout(60)
    void aThreadThatEndsMeanwhileIsNoError() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread others = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                for (int i = 0; i < 20; i++) {
                    Thread.ofPlatform().name("short").start(() -> {});
                }
            }
        });
        try {
            for (int i = 0; i < 500; i++) {
                assertThat(ThreadTimes.of(ProcessHandle.current().pid()).turns())
                        .isNotEmpty();
            }
        } finally {
            over.set(true);
            others.join();
        }
    }
}
