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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
final class HttpLoopTest {
    private static final Ip LO_4 = Ip.parse("127.0.0.1");
    private static final Ip LO_6 = Ip.parse("::1");
    private static final HttpHandler ECHO = (request, asked) ->
            Optional.of(HttpAnswer.text(200, request.method() + " " + request.path() + " " + asked));

    private NetNs ns;
    private HttpLoop loop;

    @BeforeEach
    void start() throws Exception {
        ns = FreshNetNs.create();
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.change("lo", new LinkChange.Up());
        }
        loop = HttpLoop.start(ns);
    }

    @AfterEach
    void end() {
        loop.close();
        ns.close();
    }

    @Test
    void wildcardListensInBothFamilies() throws Exception {
        int port = loop.listen(Listening.everywhere(0), ECHO).port();
        assertThat(RawHttpClient.get(ns, LO_4, port, "/a?b"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .endsWith("\r\n\r\nGET /a 127.0.0.1");
        assertThat(RawHttpClient.get(ns, LO_6, port, "/")).endsWith("GET / ::1");
    }

    @Test
    void listensOnOneAddressOnly() throws Exception {
        int port = loop.listen(new Listening(Optional.of(LO_4), 0), ECHO).port();
        assertThat(RawHttpClient.status(ns, LO_4, port)).isEqualTo(200);
        assertThat(RawHttpClient.status(ns, LO_6, port)).isZero();
        loop.listen(new Listening(Optional.of(LO_6), port), ECHO);
        assertThat(RawHttpClient.status(ns, LO_6, port)).isEqualTo(200);
    }

    @Test
    void oddClients() throws Exception {
        int port = loop.listen(Listening.everywhere(0), ECHO).port();
        assertThat(RawHttpClient.raw(ns, LO_4, port, "HEAD / HTTP/1.0\r\n\r\n")).endsWith("Connection: close\r\n\r\n");
        assertThat(RawHttpClient.raw(ns, LO_4, port, "SSH-2.0-x\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(RawHttpClient.raw(ns, LO_4, port, "GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(1400)))
                .startsWith("HTTP/1.1 400 ");
        String body = "x".repeat(100_000);
        assertThat(RawHttpClient.raw(ns, LO_4, port, "POST /p HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + body))
                .endsWith("POST /p 127.0.0.1");
        try (Socket slow = RawHttpClient.connected(ns, LO_4, port)) {
            for (byte one : "GET /s HTTP/1.1\r\nA: b\r\n\r\n".getBytes(StandardCharsets.US_ASCII)) {
                slow.getOutputStream().write(one);
            }
            assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .endsWith("GET /s 127.0.0.1");
        }
    }

    @Test
    void slowAnswerDoesNotBlockOthers() throws Exception {
        BlockingHandler page = new BlockingHandler();
        int port = loop.listen(Listening.everywhere(0), page).port();
        try (Socket slow = asking(port, "/slow")) {
            page.awaitRequest();
            try (Socket bug = asking(port, "/slow/bug");
                    Socket second = asking(port, "/slow/2");
                    Socket gone = asking(port, "/slow/gone")) {
                assertThat(RawHttpClient.get(ns, LO_4, port, "/")).endsWith("\r\n\r\nhealth");
                gone.setSoLinger(true, 0);
                gone.close();
                page.release();
                assertThat(read(slow)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nhealth-slow");
                assertThatThrownBy(() -> read(bug)).isInstanceOf(IOException.class);
                assertThat(read(second)).endsWith("\r\n\r\nhealth-slow");
            }
        }
        await().until(() -> page.served().contains("/slow/gone"));
        assertThat(page.served()).startsWith("/", "/slow").contains("/slow/bug", "/slow/2");
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals(Component.HEALTH_SLOW.toString())));
    }

    private Socket asking(int port, String path) throws Exception {
        Socket socket = RawHttpClient.connected(ns, LO_4, port);
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String read(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    /** One that waits for a slow page is disconnected as any other, and the page is not made for it. */
    @Test
    void nothingIsMadeForAClientThatWasDisconnected() throws Exception {
        BlockingHandler page = new BlockingHandler();
        int port = loop.listen(Listening.everywhere(0), page).port();
        List<Socket> sockets = new ArrayList<>();
        try (Socket slow = asking(port, "/slow")) {
            page.awaitRequest();
            sockets.add(asking(port, "/slow/2"));
            for (int i = 0; i < HttpLoop.MAX_CONNECTIONS; i++) {
                sockets.add(RawHttpClient.connected(ns, LO_4, port));
            }
            assertThat(sockets.getFirst().getInputStream().read()).isEqualTo(-1);
            assertThat(slow.getInputStream().read()).isEqualTo(-1);
            page.release();
            assertThat(RawHttpClient.get(ns, LO_4, port, "/slow/3")).endsWith("health-slow");
            assertThat(page.served()).containsExactly("/slow", "/slow/3");
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** A page that is never finished holds up every later one; the process ends, and is started again. */
    @Test
    void aPageThatIsNeverFinishedIsOverdueAndEndsTheProcess() throws Exception {
        List<String> ends = new CopyOnWriteArrayList<>();
        BlockingHandler page = new BlockingHandler();
        try (Supervisor supervisor = new Supervisor(
                                (why, cause) -> ends.add(why),
                                component -> component == Component.HEALTH_SLOW
                                        ? Duration.ofSeconds(3)
                                        : component.deadline(),
                                System::nanoTime)
                        .start();
                HttpLoop watched = HttpLoop.start(ns, supervisor)) {
            int port = watched.listen(Listening.everywhere(0), page).port();
            try (Socket slow = asking(port, "/slow")) {
                await().atMost(Duration.ofSeconds(30)).until(() -> !ends.isEmpty());
                assertThat(ends.getFirst()).startsWith("component health-slow has been silent for ");
                assertThat(supervisor.states())
                        .filteredOn(ComponentState::overdue)
                        .extracting(ComponentState::component)
                        .containsExactly(Component.HEALTH_SLOW);
                page.release();
                assertThat(read(slow)).endsWith("health-slow");
            }
            await().until(() ->
                    supervisor.states().stream().noneMatch(state -> state.component() == Component.HEALTH_SLOW));
        } finally {
            page.release();
        }
    }

    /** Those whose clients are gone would wait, in any number, for one that is never finished. */
    @Test
    void noMoreSlowAnswersWaitThanThereAreConnections() throws Exception {
        BlockingHandler page = new BlockingHandler();
        int port = loop.listen(Listening.everywhere(0), page).port();
        try (Socket ignored = asking(port, "/slow")) {
            page.awaitRequest();
            for (int i = 0; i < 2 * HttpLoop.MAX_CONNECTIONS; i++) {
                asking(port, "/slow/" + i).close();
            }
            await().until(() -> RawHttpClient.status(ns, LO_4, port) == 200);
            assertThat(loop.waiting()).isPositive().isLessThanOrEqualTo(HttpLoop.MAX_CONNECTIONS);
        } finally {
            page.release();
        }
        loop.close();
        assertThat(loop.waiting()).isZero();
    }

    /** A client that reads nothing would fill the memory with answers of megabytes. */
    @Test
    void noFurtherSlowAnswerIsMadeWhileManyBytesAreUnread() throws Exception {
        AtomicInteger made = new AtomicInteger();
        String large = "x".repeat((int) (HttpLoop.MAX_UNREAD / 2));
        int port = loop.listen(Listening.everywhere(0), new HttpHandler() {
                    @Override
                    public Optional<HttpAnswer> answer(HttpRequest request, Ip localAddress) {
                        made.incrementAndGet();
                        return Optional.of(HttpAnswer.text(200, request.path().equals("/slow") ? large : "short"));
                    }

                    @Override
                    public boolean takesLong(HttpRequest request) {
                        return true;
                    }
                })
                .port();
        try (Socket first = asking(port, "/slow");
                Socket second = asking(port, "/slow")) {
            await().until(() -> !loop.hasRoom());
            try (Socket third = asking(port, "/slow")) {
                assertThatThrownBy(() -> read(third)).isInstanceOf(IOException.class);
            }
            assertThat(made).hasValue(2);
            assertThat(read(first)).hasSizeGreaterThan(large.length());
            await().untilAsserted(() ->
                    assertThat(RawHttpClient.get(ns, LO_4, port, "/")).endsWith("short"));
            second.close();
        }
    }

    @Test
    void closesConnectionWithoutAnswer() throws Exception {
        int port = loop.listen(Listening.everywhere(0), (request, asked) -> Optional.empty())
                .port();
        assertThatThrownBy(() -> RawHttpClient.get(ns, LO_4, port, "/")).isInstanceOf(IOException.class);
    }

    @Test
    void exceptionInOneAnswerDoesNotAffectOthers() throws Exception {
        int port = loop.listen(Listening.everywhere(0), (request, asked) -> {
                    throw new IllegalStateException("a bug, wanted by the test");
                })
                .port();
        assertThat(RawHttpClient.get(ns, LO_4, port, "/")).isEmpty();
        int good = loop.listen(Listening.everywhere(0), ECHO).port();
        assertThat(RawHttpClient.status(ns, LO_4, good)).isEqualTo(200);
    }

    @Test
    void silentClientsDoNotBlockOthers() throws Exception {
        int port = loop.listen(Listening.everywhere(0), ECHO).port();
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < HttpLoop.MAX_CONNECTIONS + 50; i++) {
                silent.add(RawHttpClient.connected(ns, LO_4, port));
            }
            assertThat(RawHttpClient.status(ns, LO_4, port)).isEqualTo(200);
            assertThat(silent.getFirst().getInputStream().read()).isEqualTo(-1);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void aPortIsFreeAfterItsListenerAndTakenBefore() throws Exception {
        HttpLoop.Listener listener = loop.listen(Listening.everywhere(0), ECHO);
        int port = listener.port();
        assertThatThrownBy(() -> loop.listen(Listening.everywhere(port), ECHO))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on *:" + port);
        listener.close();
        await().until(() -> RawHttpClient.status(ns, LO_4, port) == 0);
        loop.listen(Listening.everywhere(port), ECHO);
        assertThat(RawHttpClient.status(ns, LO_4, port)).isEqualTo(200);
    }

    /** A thread may be about to try again to listen on an address when the daemon stops. */
    @Test
    void anEndedLoopRefusesToListen() {
        loop.close();
        assertThatThrownBy(() -> loop.listen(Listening.everywhere(0), ECHO))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the loop is closed");
    }

    /** Its thread may still be making an answer. */
    @Test
    void aLoopThatIsEndingRefusesToListen() throws Exception {
        BlockingHandler page = new BlockingHandler();
        int port = loop.listen(Listening.everywhere(0), page).port();
        try (Socket ignoredClient = asking(port, "/slow")) {
            page.awaitRequest();
            Thread closing = Thread.ofPlatform().start(loop::close);
            await().until(() -> {
                try (Socket ignored = RawHttpClient.connected(ns, LO_4, port)) {
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
            assertThatThrownBy(() -> loop.listen(Listening.everywhere(0), ECHO))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the loop is closed");
            page.release();
            closing.join();
        }
    }

    @Test
    void anEndedLoopLeavesNoSocket() throws Exception {
        int port = loop.listen(Listening.everywhere(0), ECHO).port();
        try (Socket open = RawHttpClient.connected(ns, LO_4, port)) {
            // Whoever came later is answered: so this one is accepted, and no longer one that the kernel resets with
            // the listener.
            assertThat(RawHttpClient.status(ns, LO_4, port)).isEqualTo(200);
            loop.close();
            assertThat(open.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(RawHttpClient.status(ns, LO_4, port)).isZero();
    }
}
