package io.dualstackd.agent.log.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LineWriterTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch readers = new CountDownLatch(1);

    /** A stream of which the first write blocks until there is a reader. */
    private final PrintStream blocked = new PrintStream(
            new OutputStream() {
                @Override
                public void write(int b) {
                    writing.countDown();
                    try {
                        readers.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    bytes.write(b);
                }
            },
            true,
            StandardCharsets.UTF_8);

    private String written() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whatFindsNoSpaceIsDroppedAndCountedInItsPlace() throws Exception {
        LineWriter writer = new LineWriter(blocked, 6, lost -> "lost " + lost + "\n");
        writer.add("a\n");
        writing.await();
        for (String line : new String[] {"b\n", "c\n", "d\n", "e\n", "f\n"}) {
            writer.add(line);
        }
        assertThat(writer.dropped()).isEqualTo(2);
        readers.countDown();
        writer.flush(LONG);
        assertThat(written()).isEqualTo("a\nb\nc\nd\nlost 2\n");
        assertThat(writer.dropped()).isZero();
        writer.add("g\n");
        writer.flush(LONG);
        assertThat(written()).isEqualTo("a\nb\nc\nd\nlost 2\ng\n");
    }

    /** A stack trace may be longer than all that may wait. */
    @Test
    void aLongLineIsWrittenWhenNoOtherWaits() throws Exception {
        LineWriter writer = new LineWriter(blocked, 6, lost -> "lost " + lost + "\n");
        writer.add("a\n");
        writing.await();
        writer.add("a long line\n");
        readers.countDown();
        writer.flush(LONG);
        assertThat(written()).isEqualTo("a\na long line\n");
    }

    @Test
    void aStreamThatNobodyReadsHoldsUpTheEndForABoundedTimeOnly() throws Exception {
        LineWriter writer = new LineWriter(blocked, 100, lost -> "lost " + lost + "\n");
        writer.add("a\n");
        writing.await();
        writer.flush(Duration.ofMillis(10));
        assertThat(written()).isEmpty();
        readers.countDown();
    }

    @Test
    void theLastWordsOfAnInterruptedThreadAreWritten() throws Exception {
        LineWriter writer = new LineWriter(blocked, 100, lost -> "lost " + lost + "\n");
        writer.add("a\n");
        writing.await();
        Thread last = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            writer.add("b\n");
            writer.flush(LONG);
            bytes.writeBytes("end\n".getBytes(StandardCharsets.UTF_8));
        });
        while (last.getState() != Thread.State.TIMED_WAITING && last.isAlive()) {
            Thread.onSpinWait();
        }
        readers.countDown();
        last.join();
        assertThat(written()).isEqualTo("a\nb\nend\n");
    }

    @Test
    void linesOfManyThreadsKeepTheirOrder() throws Exception {
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        LineWriter writer = new LineWriter(out, LineWriter.MAX_WAITING, lost -> "lost " + lost + "\n");
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            String name = "thread" + i + " ";
            threads[i] = Thread.ofPlatform().start(() -> {
                for (int line = 0; line < 1000; line++) {
                    writer.add(name + line + "\n");
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        writer.flush(LONG);
        for (int i = 0; i < threads.length; i++) {
            String name = "thread" + i + " ";
            StringBuilder expected = new StringBuilder();
            for (int line = 0; line < 1000; line++) {
                expected.append(name).append(line).append('\n');
            }
            StringBuilder found = new StringBuilder();
            written()
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .forEach(line -> found.append(line).append('\n'));
            assertThat(found.toString()).isEqualTo(expected.toString());
        }
    }

    @Test
    void theNextLineStartsAThreadThatAnErrorHasEnded() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        PrintStream out = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        if (broken.getAndSet(false)) {
                            throw new AssertionError("as wanted by the test");
                        }
                        bytes.write(b);
                    }
                },
                true,
                StandardCharsets.UTF_8);
        LineWriter writer = new LineWriter(out, 100, lost -> "lost " + lost + "\n");
        writer.add("a\n");
        writer.flush(LONG);
        writer.add("b\n");
        writer.flush(LONG);
        assertThat(written()).endsWith("b\n");
    }
}
