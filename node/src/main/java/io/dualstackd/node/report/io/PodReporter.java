package io.dualstackd.node.report.io;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.client.io.ApiClient;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.PodList;
import io.dualstackd.kubeapi.wire.raw.PodAddresses;
import io.dualstackd.kubeapi.wire.raw.WireException;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.PodDifference;
import io.dualstackd.node.report.PodIpFigures;
import io.dualstackd.node.report.PodStatusDiff;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.Pods;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.BoundedWait;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the statuses of this node's pods with the addresses from the runtime, once a minute: the list comes from the server's cache,
 * which is indexed by node. A difference that lasts is reported, counted, and corrected if the server permits it.
 */
public final class PodReporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("pod-status");

    private static final Duration ROUND = Duration.ofMinutes(1);
    /** Until a correction that was not permitted is tried again: an administrator may grant the right meanwhile. */
    private static final Duration FORBIDDEN_FOR = Duration.ofMinutes(10);

    private final ApiClient apiClient;
    private final Wanted wanted;
    private final Consumer<ClusterEvent> events;
    private final InstantSource clock;
    private final PodStatusDiff ledger = new PodStatusDiff();
    private final Platform platform;
    private final Platform.Permits wakeups;
    private final RepeatedWarning warning = new RepeatedWarning(LOG);
    private final Worker worker;
    private volatile PodIpFigures figures = PodIpFigures.NONE;
    private boolean forbiddenLogged;

    /**
     * The actual state; evaluated for each check.
     *
     * @param node its name
     * @param pods pods of the runtime; empty while it does not answer, as pods may have other addresses by then
     * @param names the node's own addresses
     */
    public record Wanted(String node, Supplier<Optional<Pods>> pods, Supplier<NodeNames> names) {}

    private PodReporter(
            ApiClient apiClient,
            Wanted wanted,
            Consumer<ClusterEvent> events,
            InstantSource clock,
            Supervisor supervisor) {
        this.apiClient = apiClient;
        this.wanted = wanted;
        this.events = events;
        this.clock = clock;
        this.platform = supervisor.platform();
        this.wakeups = platform.permits();
        this.worker = supervisor.worker(Component.POD_STATUS, this::run);
    }

    /** @param events is notified of each difference that lasts */
    public static PodReporter start(
            ApiClient apiClient, Wanted wanted, Consumer<ClusterEvent> events, Supervisor supervisor) {
        return start(apiClient, wanted, events, supervisor.platform().steady(), supervisor);
    }

    static PodReporter start(
            ApiClient apiClient,
            Wanted wanted,
            Consumer<ClusterEvent> events,
            InstantSource clock,
            Supervisor supervisor) {
        PodReporter reporter = new PodReporter(apiClient, wanted, events, clock, supervisor);
        reporter.worker.start();
        return reporter;
    }

    /** The figures for metrics. */
    public PodIpFigures figures() {
        return figures;
    }

    /** Starts a check now. */
    void wakeUp() {
        wakeups.release();
    }

    private void run(Heartbeat heartbeat) throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            lookAndSurvive(heartbeat);
            if (BoundedWait.inParts(platform, heartbeat, ROUND, wakeups::tryAcquire)) {
                wakeups.drain();
            }
        }
    }

    /** An error with one pod must not end the checks. */
    private void lookAndSurvive(Heartbeat heartbeat) {
        try {
            check(heartbeat);
        } catch (RuntimeException e) {
            if (warning.say("pods cannot be compared, trying again error=\"{}\"", e.toString())) {
                LOG.error("error while comparing pods", e);
            }
        }
    }

    private void check(Heartbeat heartbeat) {
        switch (apiClient.get("/api/v1/pods?resourceVersion=0&fieldSelector=spec.nodeName%3D" + wanted.node())) {
            case Reply.Failed(String why) -> warning.say("pods cannot be compared error=\"{}\"", why);
            case Reply.Refused(ApiStatus status) ->
                warning.say(
                        "pods cannot be compared; this needs the right to list pods code={} error=\"{}\"",
                        status.code(),
                        status.message());
            case Reply.Done(int code, String body) -> {
                try {
                    compare(PodList.read(body), heartbeat);
                    warning.clear();
                } catch (WireException e) {
                    warning.say("pods cannot be compared error=\"{}\"", String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private void compare(List<PodAddresses> stored, Heartbeat heartbeat) {
        PodStatusDiff.Result result = ledger.check(
                wanted.pods().get().orElse(Pods.NONE), stored, wanted.names().get(), clock.instant());
        for (PodDifference difference : result.toTell()) {
            LOG.warn(
                    "status of a pod has other addresses pod={}/{} difference=\"{}\"",
                    difference.namespace(),
                    difference.name(),
                    difference);
            events.accept(ClusterEvent.otherPodIps(difference));
        }
        PodIpFigures before = figures;
        long corrected = before.corrected();
        long refused = before.refused();
        for (PodDifference difference : result.toCorrect()) {
            heartbeat.beat();
            switch (apiClient.send(difference.writeRequest())) {
                case Reply.Done done -> {
                    corrected++;
                    ledger.corrected(difference);
                    forbiddenLogged = false;
                }
                case Reply.Refused(ApiStatus status) -> {
                    refused++;
                    refused(difference, status);
                }
                case Reply.Failed(String why) -> LOG.debug("status of a pod not written error=\"{}\"", why);
            }
        }
        figures = new PodIpFigures(
                ledger.compared(),
                (int) result.lasting().stream().filter(PodDifference::inPodIps).count(),
                (int) result.lasting().stream().filter(PodDifference::inHostIps).count(),
                corrected,
                refused);
    }

    private void refused(PodDifference difference, ApiStatus status) {
        switch (status.code()) {
            case 403 -> {
                ledger.postpone(difference, clock.instant().plus(FORBIDDEN_FOR));
                if (!forbiddenLogged) {
                    LOG.info(
                            "statuses of pods may not be written here, differences are only logged; trying again every"
                                    + " {} minutes error=\"{}\"",
                            FORBIDDEN_FOR.toMinutes(),
                            status.message());
                    forbiddenLogged = true;
                }
            }
            // The credentials have just expired, the pod was changed meanwhile, or the server is busy: the next check
            // tries again.
            case 401, 408, 409, 429, 500, 502, 503, 504 ->
                LOG.debug("status of a pod not written code={} error=\"{}\"", status.code(), status.message());
            default -> {
                ledger.corrected(difference);
                LOG.warn(
                        "status of a pod was not taken pod={}/{} code={} error=\"{}\"",
                        difference.namespace(),
                        difference.name(),
                        status.code(),
                        status.message());
            }
        }
    }

    @Override
    public void close() {
        worker.interrupt();
    }
}
