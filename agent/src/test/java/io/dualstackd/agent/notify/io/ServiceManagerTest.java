package io.dualstackd.agent.notify.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dualstackd.admin.Reports;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusReportBuilder;
import io.dualstackd.agent.notify.ServiceEnvironment;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.DatagramInbox;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.sys.UnixDatagrams;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import io.dualstackd.supervision.io.Supervisor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Against a socket as systemd has one. */
final class ServiceManagerTest {
    private final String name = "@dualstackd-notify-" + System.nanoTime();
    private final List<String> sent = new ArrayList<>();

    private void receive(DatagramInbox inbox) throws SysException {
        for (Optional<String> next = inbox.poll(); next.isPresent(); next = inbox.poll()) {
            sent.addAll(next.get().lines().toList());
        }
    }

    private void awaitSent(DatagramInbox inbox, String line) {
        await().pollInterval(Duration.ofMillis(5)).untilAsserted(() -> {
            receive(inbox);
            assertThat(sent).anyMatch(had -> had.startsWith(line));
        });
    }

    private static StatusReport overdue() {
        return StatusReportBuilder.like(Reports.healthy())
                .components(new ComponentState(
                        Component.DATAPLANE_IPV4, Duration.ofSeconds(151), true, 0, Optional.empty()))
                .build();
    }

    @Test
    void startRunAndStop() throws Exception {
        AtomicReference<StatusReport> report = new AtomicReference<>(Reports.failing());
        try (DatagramInbox inbox = DatagramInbox.at(name)) {
            ServiceManager systemd = ServiceManager.connect(
                    new ServiceEnvironment(Optional.of(name), Optional.of(Duration.ofMillis(40))));
            systemd.follow(report::get, System::nanoTime, Supervisor.none());
            awaitSent(inbox, "EXTEND_TIMEOUT_USEC=60000000");
            awaitSent(inbox, "STATUS=IPv4 in force, IPv6 failing");
            assertThat(sent).doesNotContain("READY=1", "WATCHDOG=1");

            report.set(Reports.healthy());
            systemd.onStatus(FamilyStatus.initial(IpFamily.IPV6).in(FamilyStatus.State.IN_FORCE));
            awaitSent(inbox, "READY=1");
            awaitSent(inbox, "STATUS=IPv4 and IPv6 in force");
            awaitSent(inbox, "WATCHDOG=1");

            // A socket may have room for ten datagrams only: what comes by itself must come to an end first.
            report.set(overdue());
            receive(inbox);
            sent.clear();
            systemd.reloading();
            systemd.reloaded();
            awaitSent(inbox, "READY=1");
            assertThat(sent)
                    .containsSubsequence("RELOADING=1", "READY=1")
                    .anyMatch(l -> l.startsWith("MONOTONIC_USEC="));

            systemd.close();
            systemd.close();
            awaitSent(inbox, "STOPPING=1");
        }
    }

    @Test
    void anOverdueComponentIsNotFedFor() throws Exception {
        try (DatagramInbox inbox = DatagramInbox.at(name);
                ServiceManager systemd = ServiceManager.connect(
                        new ServiceEnvironment(Optional.of(name), Optional.of(Duration.ofMillis(40))))) {
            AtomicReference<String> asked = new AtomicReference<>("");
            systemd.follow(
                    () -> {
                        asked.accumulateAndGet("x", String::concat);
                        return overdue();
                    },
                    System::nanoTime,
                    Supervisor.none());
            awaitSent(inbox, "READY=1");
            await().until(() -> asked.get().length() > 20);
            systemd.close();
            awaitSent(inbox, "STOPPING=1");
            assertThat(sent).doesNotContain("WATCHDOG=1");
        }
    }

    /** A SIGHUP while the API server cannot be reached, or while the daemon starts anew with another family. */
    @Test
    void aReloadDuringAStartIsNotItsEnd() throws Exception {
        try (DatagramInbox inbox = DatagramInbox.at(name);
                ServiceManager systemd =
                        ServiceManager.connect(new ServiceEnvironment(Optional.of(name), Optional.empty()))) {
            AtomicReference<StatusReport> report = new AtomicReference<>(Reports.failing());
            systemd.follow(report::get, System::nanoTime, Supervisor.none());
            awaitSent(inbox, "EXTEND_TIMEOUT_USEC=");
            systemd.reloading();
            systemd.reloaded();
            receive(inbox);
            assertThat(sent).doesNotContain("READY=1", "RELOADING=1");

            report.set(Reports.healthy());
            systemd.onStatus(FamilyStatus.initial(IpFamily.IPV6).in(FamilyStatus.State.IN_FORCE));
            awaitSent(inbox, "READY=1");
            systemd.startingAgain();
            awaitSent(inbox, "RELOADING=1");
            sent.clear();
            systemd.reloading();
            systemd.reloaded();
            receive(inbox);
            assertThat(sent).doesNotContain("READY=1");
            systemd.follow(report::get, System::nanoTime, Supervisor.none());
            awaitSent(inbox, "READY=1");
        }
    }

    /** As when the API server cannot be reached at that moment. */
    @Test
    void theWatchdogIsFedWhileTheDaemonStartsAgain() throws Exception {
        try (DatagramInbox inbox = DatagramInbox.at(name);
                ServiceManager systemd = ServiceManager.connect(
                        new ServiceEnvironment(Optional.of(name), Optional.of(Duration.ofMillis(40))))) {
            systemd.follow(Reports::healthy, System::nanoTime, Supervisor.none());
            awaitSent(inbox, "READY=1");
            systemd.startingAgain();
            receive(inbox);
            sent.clear();
            systemd.follow(Reports::failing, System::nanoTime, Supervisor.none());
            awaitSent(inbox, "WATCHDOG=1");
            assertThat(sent).doesNotContain("READY=1");
        }
    }

    /** READY is sent once; without it systemd would end the service after a timeout. */
    @Test
    void repeatsNotificationThatSystemdDidNotAccept() throws Exception {
        try (DatagramInbox inbox = DatagramInbox.at(name);
                UnixDatagrams others = UnixDatagrams.to(name, Duration.ZERO);
                ServiceManager systemd = ServiceManager.connect(
                        new ServiceEnvironment(Optional.of(name), Optional.of(Duration.ofMillis(40))),
                        Duration.ofMillis(1))) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            others.send("X=1".getBytes(UTF_8));
                        }
                    })
                    .isInstanceOf(SysException.class);
            AtomicInteger looks = new AtomicInteger();
            systemd.follow(
                    () -> {
                        looks.incrementAndGet();
                        return Reports.healthy();
                    },
                    System::nanoTime,
                    Supervisor.none());
            await().until(() -> looks.get() > 3);
            awaitSent(inbox, "READY=1");
        }
    }

    /** Without it, systemd would take the service for one that reloads until a timeout. */
    @Test
    void repeatsTheEndOfAReloadThatSystemdDidNotAccept() throws Exception {
        try (DatagramInbox inbox = DatagramInbox.at(name);
                UnixDatagrams others = UnixDatagrams.to(name, Duration.ZERO);
                ServiceManager systemd = ServiceManager.connect(
                        new ServiceEnvironment(Optional.of(name), Optional.of(Duration.ofMillis(40))),
                        Duration.ofMillis(1))) {
            systemd.follow(Reports::healthy, () -> 0, Supervisor.none());
            awaitSent(inbox, "STATUS=");
            sent.clear();
            systemd.reloading();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            others.send("X=1".getBytes(UTF_8));
                        }
                    })
                    .isInstanceOf(SysException.class);
            systemd.reloaded();
            awaitSent(inbox, "READY=1");
            assertThat(sent).contains("RELOADING=1");
        }
    }

    @Test
    void withoutSystemdNothingHappens() {
        try (ServiceManager unused = ServiceManager.connect(ServiceEnvironment.NONE);
                ServiceManager gone =
                        ServiceManager.connect(new ServiceEnvironment(Optional.of(name), Optional.empty()))) {
            for (ServiceManager one : List.of(unused, gone)) {
                one.follow(
                        () -> {
                            throw new AssertionError("not expected");
                        },
                        () -> 0,
                        Supervisor.none());
                one.onStatus(FamilyStatus.initial(IpFamily.IPV4));
                one.reloading();
                one.reloaded();
            }
        }
    }
}
