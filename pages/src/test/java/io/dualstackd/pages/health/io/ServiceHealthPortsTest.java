package io.dualstackd.pages.health.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.ServicePlan.HealthCheck;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.Listening;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
final class ServiceHealthPortsTest {
    private static final Ip LO_4 = Ip.parse("127.0.0.1");
    private static final Ip LO_6 = Ip.parse("::1");
    private static final ServiceKey WEB = new ServiceKey("ns", "web");
    private static final NodePortMatch ALL = new NodePortMatch.AllLocal(true);

    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private NetNs ns;
    private HttpLoop loop;
    private ServiceHealthPorts ports;

    @BeforeEach
    void start() throws Exception {
        ns = FreshNetNs.create();
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.change("lo", new LinkChange.Up());
        }
        loop = HttpLoop.start(ns);
        ports = new ServiceHealthPorts(
                loop, healthy::get, (service, where, reason) -> closed.add(service + " " + where + " " + reason));
    }

    @AfterEach
    void end() {
        ports.close();
        loop.close();
        ns.close();
    }

    private void both(int port, int endpoints) {
        for (IpFamily family : IpFamily.values()) {
            ports.after(family, ALL, Map.of(WEB, new HealthCheck(port, endpoints)));
        }
    }

    @Test
    void threeRounds() throws Exception {
        for (int endpoints : new int[] {1, 0, 2}) {
            both(30000, endpoints);
            int expected = endpoints == 0 ? 503 : 200;
            assertThat(RawHttpClient.status(ns, LO_4, 30000)).isEqualTo(expected);
            assertThat(RawHttpClient.status(ns, LO_6, 30000)).isEqualTo(expected);
        }
        healthy.set(false);
        assertThat(RawHttpClient.status(ns, LO_4, 30000)).isEqualTo(503);
    }

    @Test
    void aFamilyWithoutTheServiceDoesNotAnswer() throws Exception {
        ports.after(IpFamily.IPV4, ALL, Map.of(WEB, new HealthCheck(30000, 1)));
        assertThat(RawHttpClient.status(ns, LO_4, 30000)).isEqualTo(200);
        assertThat(RawHttpClient.status(ns, LO_6, 30000)).isZero();
    }

    /** The loop's thread frees a closed port, and it may be busy then. */
    @Test
    void aPortMovesFromOneAddressToAllWhileTheLoopIsBusy() throws Exception {
        ports.after(IpFamily.IPV4, new NodePortMatch.Only(List.of(LO_4)), Map.of(WEB, new HealthCheck(30000, 1)));
        CountDownLatch busy = new CountDownLatch(1);
        loop.execute(() -> {
            busy.countDown();
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        });
        busy.await();
        ports.after(IpFamily.IPV4, ALL, Map.of(WEB, new HealthCheck(30000, 1)));
        assertThat(ports.problems()).isEmpty();
        assertThat(closed).isEmpty();
        assertThat(RawHttpClient.status(ns, LO_4, 30000)).isEqualTo(200);
    }

    /** The status is asked for while a sync's ports are being opened, which may take long. */
    @Test
    void problemsAreReadWhilePortsAreBeingOpened() throws Exception {
        loop.listen(Listening.everywhere(30000), (request, asked) -> Optional.of(HttpAnswer.text(200, "squatter")));
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        HttpListeners slow = new HttpListeners() {
            @Override
            public Listener listen(Listening where, HttpHandler handler) throws IOException {
                opening.countDown();
                if (!awaited(read)) {
                    throw new IOException("nobody has read");
                }
                return loop.listen(where, handler);
            }

            @Override
            public void close() {}
        };
        try (ServiceHealthPorts others = new ServiceHealthPorts(slow, healthy::get, (service, where, reason) -> {})) {
            Thread sync = Thread.ofPlatform()
                    .start(() -> others.after(IpFamily.IPV4, ALL, Map.of(WEB, new HealthCheck(30000, 1))));
            opening.await();
            assertThat(others.problems()).isEmpty();
            read.countDown();
            sync.join();
            assertThat(others.problems()).singleElement().asString().contains("Address already in use");
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void aPortThatIsTakenIsReportedAndHadLater() throws Exception {
        HttpLoop.Listener squatter = loop.listen(
                Listening.everywhere(30000), (request, asked) -> Optional.of(HttpAnswer.text(200, "squatter")));
        both(30000, 1);
        assertThat(ports.problems())
                .singleElement()
                .asString()
                .contains("ns/web", "cannot listen on *:30000", "Address already in use");
        // Once for a reason, however often it is tried.
        ports.after(IpFamily.IPV4, ALL, Map.of());
        assertThat(closed).singleElement().asString().startsWith("ns/web *:30000 cannot listen on");
        squatter.close();
        await().untilAsserted(() -> {
            ports.after(IpFamily.IPV4, ALL, Map.of());
            assertThat(ports.problems()).isEmpty();
        });
        assertThat(RawHttpClient.get(ns, LO_4, 30000, "/")).contains("\"localEndpoints\": 1");
        both(0, 0);
        await().until(() -> RawHttpClient.status(ns, LO_4, 30000) == 0);
    }
}
