package io.dualstackd.agent.line.io;

import io.dualstackd.agent.line.Backoff;
import io.dualstackd.agent.line.LineStatus;
import io.dualstackd.agent.line.LineStatus.Done;
import io.dualstackd.agent.line.LineStatus.State;
import io.dualstackd.dataplane.diff.PassReport;
import io.dualstackd.dataplane.diff.PassReport.Result;
import io.dualstackd.dataplane.io.DataplanePass;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One family's line: a thread of its own, with its own socket, belief, and retry. */
public final class FamilyLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dataplane");
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));
    /** How often refused Services are tried again although nothing changed. */
    private static final Duration FORGIVE_AFTER = Duration.ofMinutes(5);

    private final IpFamily family;
    private final DataplanePass pass;
    private final LineInput input;
    private final LinePace pace;
    private final Consumer<LineStatus> listener;
    private final Nudge nudge;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile LineStatus status;

    private Instant lastLook = Instant.MIN;
    private Instant lastForgiven = Instant.MIN;

    /**
     * @param pass owned by the line from now on
     * @param nudge given when there is something to look at
     * @param listener told every new status, on the line's thread; must not block
     */
    public FamilyLine(
            IpFamily family,
            DataplanePass pass,
            LineInput input,
            Nudge nudge,
            LinePace pace,
            Consumer<LineStatus> listener) {
        this.family = family;
        this.pass = pass;
        this.input = input;
        this.nudge = nudge;
        this.pace = pace;
        this.listener = listener;
        this.status = LineStatus.initial(family);
        this.thread = Thread.ofPlatform()
                .name("dataplane-" + (family == IpFamily.IPV4 ? "ipv4" : "ipv6"))
                .unstarted(this::live);
    }

    /** How long a line waits between its passes. */
    public record LinePace(Duration minGap, Duration lookPeriod) {}

    public void start() {
        thread.start();
    }

    public LineStatus status() {
        return status;
    }

    /** Ends the thread after the pass it is in; the rules stay in the kernel. */
    @Override
    public void close() {
        stop.countDown();
        nudge.nudge();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void live() {
        try {
            Duration wait = Duration.ZERO;
            while (stop.getCount() > 0) {
                nudge.await(wait);
                if (stop.getCount() == 0) {
                    break;
                }
                wait = input.complete() ? onePass() : pace.lookPeriod();
            }
        } catch (InterruptedException e) {
            LOG.debug("line interrupted family={}", family);
        } catch (RuntimeException e) {
            // A mistake of ours: say so and end the line; a supervisor sees it in the status and restarts the daemon.
            LOG.error("line ended by a bug family={} next=restart-needed", family, e);
            publish(with(State.FAILING, status.failures() + 1, "internal error: " + e));
            return;
        } finally {
            pass.close();
        }
        publish(with(State.STOPPED, status.failures(), status.lastError()));
    }

    /** Runs one pass and says how long to wait for the next look if no nudge comes. */
    private Duration onePass() throws InterruptedException {
        Instant start = Instant.now();
        PassReport report = runPass(start);
        Duration took = Duration.between(start, Instant.now());
        if (report.needsRetry()) {
            return failed(report, took);
        }
        succeeded(report, start, took);
        if (pace.minGap().isPositive() && stop.await(pace.minGap().toNanos(), TimeUnit.NANOSECONDS)) {
            LOG.debug("stopping family={}", family);
        }
        return pace.lookPeriod();
    }

    private PassReport runPass(Instant now) {
        if (!lastForgiven.plus(FORGIVE_AFTER).isAfter(now)) {
            lastForgiven = now;
            if (status.lastPass().map(last -> !last.leftOut().isEmpty()).orElse(false)) {
                pass.forgive();
            }
        }
        if (!lastLook.plus(pace.lookPeriod()).isAfter(now)) {
            lastLook = now;
            if (pass.forgetIfChanged()) {
                LOG.debug("rules may have been changed by others family={} next=compare-all", family);
            }
        }
        LineInput.Taken taken = input.take();
        return pass.run(taken.node(), taken.services());
    }

    private void succeeded(PassReport report, Instant start, Duration took) {
        boolean recovered = status.state() != State.IN_FORCE;
        if (report.ops() > 0 || recovered) {
            LOG.info(
                    "in force family={} services={} endpoints={} ops={} messages={} bytes={} ms={}{}",
                    family,
                    report.totals().services(),
                    report.totals().endpoints(),
                    report.ops(),
                    report.messages(),
                    report.bytes(),
                    "%.1f".formatted(took.toNanos() / 1e6),
                    report.comparedAll() ? " compared=all" : "");
        }
        report.leftOut().forEach((service, words) -> {
            if (!status.lastPass()
                    .map(last -> last.leftOut().containsKey(service))
                    .orElse(false)) {
                LOG.error(
                        "service left out service={} family={} kernel=\"{}\" next=retry-in-{}m",
                        service,
                        family,
                        words,
                        FORGIVE_AFTER.toMinutes());
            }
        });
        Optional<Done> change = report.ops() > 0 ? Optional.of(new Done(start, took, report)) : status.lastChange();
        publish(new LineStatus(family, State.IN_FORCE, change, Optional.of(report), 0, ""));
    }

    private Duration failed(PassReport report, Duration took) {
        String reason = reason(report.result());
        int failures = status.failures() + 1;
        Duration retry = report.result() instanceof Result.Outdated ? Duration.ZERO : BACKOFF.after(failures);
        if (report.result() instanceof Result.Outdated && failures < 5) {
            LOG.debug("rules changed meanwhile family={} next=compare-all", family);
        } else if (!reason.equals(status.lastError())) {
            LOG.error(
                    "pass failed family={} reason=\"{}\" ms={} next=compare-all retry={}ms",
                    family,
                    reason,
                    took.toMillis(),
                    retry.toMillis());
        }
        publish(new LineStatus(family, State.FAILING, status.lastChange(), Optional.of(report), failures, reason));
        return retry;
    }

    private static String reason(Result result) {
        return switch (result) {
            case Result.InForce ignored -> "";
            case Result.Outdated ignored -> "somebody else changed the rules at the same time";
            case Result.Unreachable(String reason) -> reason;
            case Result.Refused(var refusals) ->
                refusals.stream()
                        .map(refusal -> refusal.op().map(op -> op + ": ").orElse("") + refusal.kernelSays())
                        .limit(3)
                        .collect(Collectors.joining("; "));
        };
    }

    private LineStatus with(State state, int failures, String error) {
        return new LineStatus(family, state, status.lastChange(), status.lastPass(), failures, error);
    }

    private void publish(LineStatus now) {
        status = now;
        listener.accept(now);
    }
}
