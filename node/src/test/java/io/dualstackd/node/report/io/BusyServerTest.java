package io.dualstackd.node.report.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventAggregator;
import io.dualstackd.supervision.io.FatalAction;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.SimulatedPlatform;
import io.dualstackd.supervision.sys.Trace;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often a server is asked that cannot take events, as when it sheds load. */
final class BusyServerTest {
    private final ScriptedApi api = new ScriptedApi();

    /** All nodes have such events at the same time, as when the endpoints of many Services go. */
    @ParameterizedTest
    @CsvSource({"0, 7", "1, 7", "60, 1", "3600, 1"})
    void newEventsDoNotShortenTheWait(int retryAfter, int most) throws InterruptedException {
        AtomicBoolean busy = new AtomicBoolean(true);
        OptionalInt seconds = retryAfter > 0 ? OptionalInt.of(retryAfter) : OptionalInt.empty();
        api.onWrite(request -> busy.get()
                ? new Reply.Refused(new ApiStatus(429, "TooManyRequests", "later", seconds))
                : new Reply.Done(201, "{}"));
        SimulatedPlatform platform = new SimulatedPlatform(1, new Trace());
        platform.run(() -> {
            try (EventReporter reporter = EventReporter.start(
                    api,
                    new EventAggregator("kube-proxy", "kube-proxy-n1"),
                    new Supervisor(FatalAction.ofThread(), platform))) {
                for (int i = 0; i < 30; i++) {
                    reporter.happened(ClusterEvent.noEndpoints("shop", "web" + i, IpFamily.IPV4, "port 80"));
                    platform.sleep(Duration.ofSeconds(1));
                }
                assertThat(api.written()).hasSizeBetween(1, most);
                busy.set(false);
                // An unreasonable time is not waited for.
                platform.sleep(Duration.ofMinutes(6));
                assertThat(api.written()).last().asString().contains("\"name\":\"web29\"");
            }
        });
    }
}
