package io.dualstackd.node.report.io;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.client.io.ApiClient;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventAggregator;
import io.dualstackd.node.report.EventAggregator.Sending;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends events. {@link #happened} never blocks; while the server is unreachable the newest events are kept, up to a limit, and sent when it
 * is reachable again.
 */
public final class EventReporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("events");

    private static final int ROOM = 500;
    private static final Duration ROUND = Duration.ofSeconds(5);
    /** A server may name a longer time, which is not waited for. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    /** The cause of a 403 for which no right is missing. */
    private static final String NAMESPACE_TERMINATING = "NamespaceTerminating";

    private final ApiClient apiClient;
    private final EventAggregator aggregator;
    private final InstantSource clock;
    private final Queue<Happened> happened = new ArrayBlockingQueue<>(ROOM);
    /** Has a permit when events wait. */
    private final Platform.Permits waiting;

    /** Requests that got no response yet. */
    private final Deque<Sending> unsent = new ArrayDeque<>();

    /** When to send again; new events do not shorten the wait for a server that cannot take them. */
    private long sendFrom;

    private final RepeatedWarning warning = new RepeatedWarning(LOG);
    private final Platform platform;
    private final Worker worker;

    private record Happened(ClusterEvent clusterEvent, Instant at) {}

    private EventReporter(ApiClient apiClient, EventAggregator aggregator, InstantSource clock, Supervisor supervisor) {
        this.apiClient = apiClient;
        this.aggregator = aggregator;
        this.clock = clock;
        this.platform = supervisor.platform();
        this.waiting = platform.permits();
        this.sendFrom = platform.nanoTime();
        this.worker = supervisor.worker(Component.EVENTS, this::run);
    }

    /** @param aggregator events sent so far, with the identity of the reporter */
    public static EventReporter start(ApiClient apiClient, EventAggregator aggregator, Supervisor supervisor) {
        return start(apiClient, aggregator, supervisor.platform(), supervisor);
    }

    static EventReporter start(
            ApiClient apiClient, EventAggregator aggregator, InstantSource clock, Supervisor supervisor) {
        EventReporter reporter = new EventReporter(apiClient, aggregator, clock, supervisor);
        reporter.worker.start();
        return reporter;
    }

    /** Reports an event, which happens now; when too many are waiting, the oldest is dropped. Thread-safe. */
    public void happened(ClusterEvent clusterEvent) {
        Happened now = new Happened(clusterEvent, clock.instant());
        while (!happened.offer(now)) {
            Happened oldest = happened.poll();
            if (oldest != null) {
                LOG.debug(
                        "event not sent, too many are waiting reason={}",
                        oldest.clusterEvent().reason());
            }
        }
        waiting.release();
    }

    private void run(Heartbeat heartbeat) throws InterruptedException {
        long lastRound = platform.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            heartbeat.beat();
            if (waiting.tryAcquire(heartbeat.atMost(ROUND))) {
                waiting.drain();
            }
            // All of them: a request may take minutes.
            for (Happened next = happened.poll(); next != null; next = happened.poll()) {
                aggregator.happened(next.clusterEvent(), next.at()).ifPresent(this::keep);
            }
            // Also when events come without a pause: those are the ones that are counted.
            if (platform.nanoTime() - lastRound >= ROUND.toNanos()) {
                lastRound = platform.nanoTime();
                aggregator.due(clock.instant()).forEach(this::keep);
            }
            if (platform.nanoTime() - sendFrom >= 0) {
                sendAll(heartbeat);
            }
        }
    }

    private void keep(Sending sending) {
        unsent.add(sending);
        if (unsent.size() > ROOM) {
            unsent.remove();
        }
    }

    /** Stops at the first request without a response: the others would fail, too. */
    private void sendAll(Heartbeat heartbeat) {
        while (!unsent.isEmpty()) {
            heartbeat.beat();
            Sending sending = unsent.peek();
            switch (sent(sending)) {
                case Reply.Done done -> warning.clear();
                case Reply.Refused(ApiStatus status)
                when notNow(status) -> {
                    warning.say("events cannot be sent, they are kept error=\"the server answers {}\"", status.code());
                    pause(Duration.ofSeconds(status.retryAfterSeconds().orElse(0)));
                    return;
                }
                case Reply.Refused(ApiStatus status) -> {
                    unsent.remove();
                    refused(sending, status);
                    continue;
                }
                case Reply.Failed ignored
                when Thread.currentThread().isInterrupted() -> {
                    // The daemon ends.
                    return;
                }
                case Reply.Failed(String why) -> {
                    warning.say("events cannot be sent, they are kept error=\"{}\"", why);
                    pause(ROUND);
                    return;
                }
            }
            unsent.remove();
        }
    }

    /** @param wanted by the server */
    private void pause(Duration wanted) {
        Duration least = wanted.compareTo(ROUND) < 0 ? ROUND : wanted;
        sendFrom = platform.nanoTime() + (least.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : least).toNanos();
    }

    /** An event that cannot be sent because of a bug must not prevent the others. */
    private Reply sent(Sending sending) {
        try {
            return apiClient.send(sending.writeRequest());
        } catch (RuntimeException e) {
            unsent.remove();
            throw e;
        }
    }

    /**
     * The credentials have just expired, the server is busy, or a load balancer has no server: the event itself is valid. As in client-go, any
     * error of the server with a time to wait counts, such as the 500 of one that cannot reach etcd.
     */
    private static boolean notNow(ApiStatus status) {
        return switch (status.code()) {
            case 401, 408, 429, 502, 503, 504 -> true;
            default -> status.code() >= 500 && status.retryAfterSeconds().isPresent();
        };
    }

    private void refused(Sending sending, ApiStatus status) {
        boolean counts = sending.writeRequest().method().equals("PATCH");
        if (!counts && status.code() == CONFLICT) {
            // The connection broke after the server had taken it and before it answered.
            LOG.debug(
                    "the server has the event already reason={}",
                    sending.clusterEvent().reason());
            return;
        }
        if (!counts || status.code() == NOT_FOUND) {
            // The server does not have it: the next one is not counted, but sent.
            aggregator.lost(sending.clusterEvent());
        }
        if (counts && status.code() == NOT_FOUND) {
            // It was deleted, or its time was over.
            aggregator.happened(sending.clusterEvent(), clock.instant()).ifPresent(this::keep);
        } else if (status.causes().contains(NAMESPACE_TERMINATING)) {
            // Its Services lose their endpoints then; the events would be deleted with it.
            LOG.debug(
                    "event not sent, its namespace is being deleted reason={}",
                    sending.clusterEvent().reason());
        } else if (status.code() == FORBIDDEN) {
            warning.say(
                    "events are refused; if the error names no quota or webhook, give this node the right to create and patch events of events.k8s.io error=\"{}\"",
                    status.message());
        } else {
            LOG.warn(
                    "event refused reason={} code={} error=\"{}\"",
                    sending.clusterEvent().reason(),
                    status.code(),
                    status.message());
        }
    }

    @Override
    public void close() {
        worker.interrupt();
    }
}
