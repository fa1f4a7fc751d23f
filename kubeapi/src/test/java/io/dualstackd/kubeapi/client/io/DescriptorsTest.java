package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.netlink.process.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import mockwebserver3.MockResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a process whose file descriptors are used up, with the real limit of a real process. */
@Tag("kernel")
final class DescriptorsTest {
    /** In which everything must be as it was once there are file descriptors again. */
    private static final Duration SOON = Duration.ofMinutes(1);

    @Test
    void watchesGoOnWhenThereAreFileDescriptorsAgain() throws Exception {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                Child child = new Child(server.access().port())) {
            assertThat(child.answer("start")).isEqualTo("started");
            child.await("services", "true 3"::equals);

            child.answer("take");
            server.faults.cutWatches();
            child.await("trouble", error -> error.contains("Too many open files"));
            server.put(TestCluster.service(4));
            assertThat(child.answer("services")).isEqualTo("true 3");
            child.answer("give");

            child.await("services", "true 4"::equals);
            child.await("trouble", "none"::equals);
        }
    }

    @Test
    void singleQuestionsFailAndLaterOnesAreAnswered() throws Exception {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                Child child = new Child(server.access().port())) {
            server.others(request -> new MockResponse.Builder().body("{}").build());
            child.answer("start");
            child.await("services", "true 3"::equals);

            child.answer("take");
            assertThat(child.answer("call"))
                    .startsWith(Reply.Failed.class.getSimpleName())
                    .contains("Too many open files");
            child.answer("give");

            assertThat(child.answer("call")).startsWith(Reply.Done.class.getSimpleName());
        }
    }

    @Test
    void reportsMissingDescriptorsAtTheStart() throws Exception {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                Child child = new Child(server.access().port())) {
            assertThat(child.answer("start without"))
                    .startsWith("refused: no event loop for connections to the API server: ")
                    .containsIgnoringCase("too many open files");
            assertThat(child.answer("start")).isEqualTo("started");
            child.await("services", "true 3"::equals);
        }
    }

    /** A {@link DescriptorsChild}. */
    private static final class Child implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;
        private final Writer in;

        private Child(int port) throws IOException, URISyntaxException {
            process =
                    ChildJvm.of(DescriptorsChild.class, Integer.toString(port)).start();
            out = process.inputReader();
            in = process.outputWriter();
        }

        private String answer(String command) {
            try {
                in.write(command + "\n");
                in.flush();
                return Objects.requireNonNull(out.readLine(), "it ended");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void await(String command, Predicate<String> until) {
            Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(50)).until(() -> answer(command), until);
        }

        @Override
        public void close() throws InterruptedException {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
    }
}
