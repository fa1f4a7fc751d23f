package io.dualstackd.agent.notify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.Reports;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusReportBuilder;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which notifications systemd gets, and when. */
final class NotifyTest {
    private static final long SECOND = 1_000_000_000;

    private NotifyState notifyState = NotifyState.begun(0);

    private List<String> sent(long seconds, StatusReport report, long beatSeconds) {
        NotifyState.Step step = notifyState.next(seconds * SECOND, report, true, beatSeconds * SECOND);
        notifyState = step.then();
        return step.notices().stream().map(SdNotification::line).toList();
    }

    private static StatusReport starting() {
        return Reports.failing();
    }

    @Test
    void texts() {
        List<SdNotification> all = new ArrayList<>(
                List.of(new SdNotification.Ready(), new SdNotification.MainPid(42), new SdNotification.Watchdog()));
        all.add(new SdNotification.Status("two\nlines\u0007"));
        all.add(new SdNotification.ExtendTimeout(Duration.ofMillis(1500)));
        all.add(new SdNotification.Reloading(1234));
        all.add(new SdNotification.Stopping());
        assertThat(new String(SdNotification.datagram(all), UTF_8))
                .isEqualTo("READY=1\nMAINPID=42\nWATCHDOG=1\nSTATUS=two lines \nEXTEND_TIMEOUT_USEC=1500000\n"
                        + "RELOADING=1\nMONOTONIC_USEC=1234\nSTOPPING=1");
    }

    @Test
    void environment() {
        Map<String, String> whole =
                Map.of("NOTIFY_SOCKET", "/run/systemd/notify", "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "7");
        assertThat(ServiceEnvironment.of(whole, 7))
                .isEqualTo(new ServiceEnvironment(
                        Optional.of("/run/systemd/notify"), Optional.of(Duration.ofSeconds(30))));
        assertThat(ServiceEnvironment.of(whole, 7).pulse()).hasValue(Duration.ofSeconds(5));
        assertThat(ServiceEnvironment.of(whole, 8).watchdog()).isEmpty();
        assertThat(ServiceEnvironment.of(Map.of("NOTIFY_SOCKET", "@x"), 7))
                .isEqualTo(new ServiceEnvironment(Optional.of("@x"), Optional.empty()));
        for (String nonsense : List.of("", "0", "-1", "1e6", "9999999999999999999")) {
            assertThat(ServiceEnvironment.of(Map.of("NOTIFY_SOCKET", "@x", "WATCHDOG_USEC", nonsense), 7)
                            .watchdog())
                    .as(nonsense)
                    .isEmpty();
        }
        for (String nonsense : List.of("", "@", "/", "relative", "vsock:2:1234")) {
            assertThat(ServiceEnvironment.of(Map.of("NOTIFY_SOCKET", nonsense), 7))
                    .isEqualTo(ServiceEnvironment.NONE);
        }
        assertThat(ServiceEnvironment.of(Map.of("WATCHDOG_USEC", "30000000"), 7))
                .isEqualTo(ServiceEnvironment.NONE);
    }

    @Test
    void readyOnlyWhenEveryFamilyIsInForce() {
        assertThat(sent(0, starting(), 0)).first().isEqualTo("EXTEND_TIMEOUT_USEC=60000000");
        assertThat(sent(1, Reports.healthy(), 1)).contains("READY=1").anyMatch(line -> line.startsWith("MAINPID="));
        assertThat(sent(2, starting(), 2)).doesNotContain("READY=1").anyMatch(line -> line.startsWith("STATUS="));
        assertThat(sent(3, Reports.healthy(), 3)).doesNotContain("READY=1");
    }

    @Test
    void aLongStartIsGivenMoreTimeUnlessALineIsStuck() {
        List<Long> extended = new ArrayList<>();
        for (long second = 0; second < 1000; second++) {
            if (sent(second, starting(), Math.min(second, 100)).stream().anyMatch(l -> l.startsWith("EXTEND"))) {
                extended.add(second);
            }
        }
        assertThat(extended).startsWith(0L, 10L, 20L).endsWith(390L);
    }

    /** A sync may take longer than the watchdog's time, and then its reconciler does not beat. */
    @Test
    void theWatchdogIsFedUntilARequiredComponentIsOverdue() {
        sent(1, Reports.healthy(), 1);
        assertThat(sent(15, Reports.healthy(), 1)).containsExactly("WATCHDOG=1");
        assertThat(sent(100, Reports.healthy(), 1)).containsExactly("WATCHDOG=1");
        assertThat(sent(101, overdue(Component.NAMES), 1)).contains("WATCHDOG=1");
        assertThat(sent(152, overdue(Component.DATAPLANE_IPV6), 1)).doesNotContain("WATCHDOG=1");
        assertThat(sent(160, Reports.healthy(), 159)).contains("WATCHDOG=1");
        assertThat(sent(175, Reports.failing(), 174)).contains("WATCHDOG=1");
    }

    /** Then, systemd waits for READY as in a reload, and the watchdog's time goes on. */
    @Test
    void theWatchdogIsFedWhileTheDaemonStartsAgain() {
        assertThat(sent(0, starting(), 0)).doesNotContain("WATCHDOG=1");
        sent(1, Reports.healthy(), 1);
        notifyState = notifyState.again(2 * SECOND);
        assertThat(sent(2, starting(), 2)).contains("WATCHDOG=1").doesNotContain("READY=1");
        notifyState = notifyState.again(3 * SECOND);
        assertThat(sent(100, starting(), 2)).contains("WATCHDOG=1");
        StatusReport stuck = StatusReportBuilder.like(starting())
                .components(overdue(Component.DATAPLANE_IPV6).components().getFirst())
                .build();
        assertThat(sent(152, stuck, 2)).doesNotContain("WATCHDOG=1");
        assertThat(sent(160, Reports.healthy(), 160)).contains("READY=1", "WATCHDOG=1");
    }

    private static StatusReport overdue(Component component) {
        return StatusReportBuilder.like(Reports.healthy())
                .components(new ComponentState(component, Duration.ofSeconds(151), true, 0, Optional.empty()))
                .build();
    }

    @Test
    void statusIsSentWhenItChanges() {
        assertThat(StatusLine.of(Reports.healthy())).startsWith("IPv4 and IPv6 in force; ");
        assertThat(StatusLine.of(Reports.failing()))
                .contains("IPv4 in force, IPv6 failing, rules stay as they were (EPERM (Operation not permitted))");
        assertThat(sent(0, Reports.healthy(), 0)).anyMatch(line -> line.startsWith("STATUS=IPv4 and IPv6"));
        assertThat(sent(1, Reports.healthy(), 0)).containsExactly("WATCHDOG=1");
    }
}
