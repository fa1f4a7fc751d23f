package io.dualstackd.pages.health.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sockets of a JVM that found no IPv6: served, and supervised. */
@Tag("kernel")
final class LateIpv6Test {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final Ip LO_4 = Ip.parse("127.0.0.1");
    private static final Ip LO_6 = Ip.parse("::1");
    private static final HttpHandler ECHO = (request, asked) ->
            Optional.of(HttpAnswer.text(200, request.method() + " " + request.path() + " " + asked));

    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final Supervisor supervisor =
            new Supervisor((why, cause) -> ends.add(why), LateIpv6Test::deadline, System::nanoTime);
    private final List<String> names = new CopyOnWriteArrayList<>();
    private NetNs ns;
    private HttpLoop loop;
    private HttpListeners listeners;

    private static Duration deadline(Component component) {
        return component == Component.HEALTH_IPV6 ? DEADLINE : component.deadline();
    }

    @BeforeEach
    void start() throws Exception {
        ns = FreshNetNs.create();
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.change("lo", new LinkChange.Up());
        }
        supervisor.start();
        loop = HttpLoop.start(ns, supervisor);
        listeners = LateIpv6.beside(loop, ns, supervisor);
    }

    @AfterEach
    void end() {
        listeners.close();
        supervisor.close();
        ns.close();
    }

    @Test
    void bothFamiliesAreAnswered() throws Exception {
        int port = listeners.listen(Listening.everywhere(0), ECHO).port();
        assertThat(RawHttpClient.get(ns, LO_4, port, "/a?b")).endsWith("GET /a 127.0.0.1");
        assertThat(RawHttpClient.get(ns, LO_6, port, "/")).endsWith("GET / ::1");
    }

    @Test
    void anAnswerThatTakesLongIsMadeOnAThreadOfItsOwn() throws Exception {
        BlockingHandler page = new BlockingHandler();
        page.release();
        int port = listeners.listen(Listening.everywhere(0), page).port();
        assertThat(RawHttpClient.get(ns, LO_6, port, "/slow")).endsWith("\r\n\r\nhealth-slow");
        assertThat(RawHttpClient.get(ns, LO_6, port, "/")).endsWith("\r\n\r\nhealth");
    }

    @Test
    void aSlowAnswerWhoseClientIsGoneDoesNotWait() throws Exception {
        BlockingHandler page = new BlockingHandler();
        int port = listeners.listen(Listening.everywhere(0), page).port();
        byte[] request = "GET /slow HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Socket first = RawHttpClient.connected(ns, LO_6, port)) {
            first.getOutputStream().write(request);
            page.awaitRequest();
            Socket second = RawHttpClient.connected(ns, LO_6, port);
            second.getOutputStream().write(request);
            await().atMost(TIMEOUT).until(() -> loop.waiting() == 1);
            second.setSoLinger(true, 0);
            second.close();
            await().atMost(TIMEOUT).until(() -> loop.waiting() == 0);
        } finally {
            page.release();
        }
    }

    /** Clients of HTTP/1.0, and {@code nc -N}, say so when they have sent all. */
    @Test
    void aClientThatSendsNothingMoreIsAnswered() throws Exception {
        BlockingHandler page = new BlockingHandler();
        int port = listeners.listen(Listening.everywhere(0), page).port();
        // The first socket that is closed leaves one of the JDK's own.
        assertThat(halfClosed(port, "GET / HTTP/1.0\r\n\r\n")).endsWith("\r\n\r\nhealth");
        long before = sockets();
        for (int i = 0; i < 20; i++) {
            assertThat(halfClosed(port, "GET / HTTP/1.0\r\n\r\n")).endsWith("\r\n\r\nhealth");
        }
        try (Socket slow = RawHttpClient.connected(ns, LO_6, port)) {
            slow.getOutputStream().write("GET /slow HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            slow.shutdownOutput();
            page.release();
            assertThat(slow.getInputStream().readAllBytes()).asString().endsWith("\r\n\r\nhealth-slow");
        }
        // Without a whole request there is nothing to answer, and nothing to wait for.
        assertThat(halfClosed(port, "GET / HT")).isEmpty();
        await().atMost(TIMEOUT).until(() -> sockets() <= before);
    }

    private String halfClosed(int port, String request) throws Exception {
        try (Socket socket = RawHttpClient.connected(ns, LO_6, port)) {
            socket.setSoTimeout((int) HttpLoop.TIMEOUT.dividedBy(2).toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** The number of sockets that this process has open. */
    private static long sockets() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(LateIpv6Test::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            // That of the listing itself.
            return false;
        }
    }

    /** The client would wait until the connection is closed because of its age. */
    @Test
    void aConnectionWhoseAnswerFailsEndsAtOnce() throws Exception {
        HttpHandler failing = new HttpHandler() {
            @Override
            public Optional<HttpAnswer> answer(HttpRequest request, Ip asked) {
                throw new IllegalStateException("made up");
            }

            @Override
            public boolean takesLong(HttpRequest request) {
                return request.path().equals("/slow");
            }
        };
        int port = listeners.listen(Listening.everywhere(0), failing).port();
        for (String path : List.of("/", "/slow")) {
            assertThatThrownBy(() -> RawHttpClient.get(ns, LO_6, port, path))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void silentClientsMakeRoomForOthers() throws Exception {
        int port = listeners.listen(Listening.everywhere(0), ECHO).port();
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < HttpLoop.MAX_CONNECTIONS + 50; i++) {
                silent.add(RawHttpClient.connected(ns, LO_6, port));
            }
            assertThat(RawHttpClient.status(ns, LO_6, port)).isEqualTo(200);
            assertThat(silent.getFirst().getInputStream().read()).isEqualTo(-1);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void theThreadIsInTheTableAndBeatsWithoutRequests() {
        ((LateIpv6) listeners).execute(() -> names.add(Thread.currentThread().getName()));
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(names).containsExactly("health-ipv6"));
        assertThat(Component.ofThread("health-ipv6")).contains(Component.HEALTH_IPV6);
        // Longer than twice the deadline: without beats the process would have ended.
        await().pollDelay(DEADLINE.multipliedBy(3))
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(row().overdue()).isFalse());
        assertThat(ends).isEmpty();
    }

    @Test
    void stuckThreadIsOverdueAndEndsTheProcess() {
        CountDownLatch over = new CountDownLatch(1);
        try {
            ((LateIpv6) listeners).execute(() -> {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            await().atMost(TIMEOUT).until(() -> row().overdue());
            await().atMost(TIMEOUT).until(() -> !ends.isEmpty());
            assertThat(ends.getFirst()).startsWith("component health-ipv6 has been silent for ");
        } finally {
            over.countDown();
        }
        await().atMost(TIMEOUT).until(() -> !row().overdue());
    }

    /** Netty catches it, and would go on with a thread that may have lost anything. */
    @Test
    void anErrorEndsTheProcess() {
        AtomicReference<Throwable> handed = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> handed.set(error));
        try {
            ((LateIpv6) listeners).execute(() -> {
                throw new StackOverflowError("made up");
            });
            await().dontCatchUncaughtExceptions().atMost(TIMEOUT).until(() -> handed.get() != null);
            assertThat(handed.get()).isInstanceOf(StackOverflowError.class).hasMessage("made up");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void theRowEndsWithTheSockets() {
        assertThat(row()).isNotNull();
        listeners.close();
        assertThat(supervisor.states())
                .extracting(ComponentState::component)
                .doesNotContain(Component.HEALTH_IPV6, Component.HEALTH);
    }

    private ComponentState row() {
        return supervisor.states().stream()
                .filter(state -> state.component() == Component.HEALTH_IPV6)
                .findFirst()
                .orElseThrow();
    }
}
