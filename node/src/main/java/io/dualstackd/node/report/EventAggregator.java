package io.dualstackd.node.report;

import io.dualstackd.kubeapi.client.WriteRequest;
import io.dualstackd.kubeapi.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps track of the events that were sent, so that repeated events become one with a count ({@code series}), and so that the rate of new
 * ones per object is limited. Used by one thread.
 */
public final class EventAggregator {
    /** An event that is not repeated for this time has ended; the next occurrence is a new event. */
    static final Duration FORGOTTEN = Duration.ofMinutes(6);
    /** The interval at which a count is updated. */
    static final Duration COUNTED = Duration.ofSeconds(30);
    /** Maximum number of new events for one object at once; after that, one in {@link #REFILL}. */
    static final int BURST = 25;

    static final Duration REFILL = Duration.ofMinutes(5);
    private static final int LONGEST_BOOK = 4096;
    /** Maximum length in bytes that the API server accepts. */
    private static final int LONGEST_INSTANCE = 128;

    private static final int LONGEST_NAME = 253;

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final String controller;
    private final String instance;
    private final Map<ClusterEvent, Line> lines = new LinkedHashMap<>();
    private final Map<ObjectReference, Allowance> allowances = new LinkedHashMap<>();
    private Instant latest = Instant.MIN;
    private long suppressed;

    /** The request to send for an event. */
    public record Sending(ClusterEvent clusterEvent, WriteRequest writeRequest) {}

    /** One event. */
    private static final class Line {
        private final String name;
        private int count = 1;
        private int sentCount = 1;
        private Instant last;
        private Instant sentAt;

        private Line(String name, Instant now) {
            this.name = name;
            this.last = now;
            this.sentAt = now;
        }
    }

    /** The number of events that an object may still cause. */
    private static final class Allowance {
        private double left = BURST;
        private Instant at;

        private Allowance(Instant at) {
            this.at = at;
        }

        private boolean take(Instant now) {
            double refilled = Duration.between(at, now).toMillis() / (double) REFILL.toMillis();
            left = Math.min(BURST, left + refilled);
            at = now;
            boolean enough = left >= 1;
            left -= enough ? 1 : 0;
            return enough;
        }
    }

    /**
     * @param controller the reporting controller: {@code kube-proxy}
     * @param instance its instance: {@code kube-proxy-HOST}
     */
    public EventAggregator(String controller, String instance) {
        this.controller = controller;
        this.instance = TruncatedText.beginning(instance, LONGEST_INSTANCE);
    }

    /** Returns the request for an event that happened now; empty when it is only counted, or when there are too many. */
    public Optional<Sending> happened(ClusterEvent clusterEvent, Instant now) {
        follow(now);
        Line line = lines.get(clusterEvent);
        if (line != null && line.last.plus(FORGOTTEN).isAfter(now)) {
            line.count++;
            line.last = now;
            // The second occurrence makes a series of it; afterwards the count is only updated periodically.
            return line.sentCount == 1 ? Optional.of(series(clusterEvent, line, now)) : Optional.empty();
        }
        if (!allowances
                .computeIfAbsent(clusterEvent.objectReference(), object -> new Allowance(now))
                .take(now)) {
            suppressed++;
            return Optional.empty();
        }
        String name = name(clusterEvent.objectReference(), now);
        lines.remove(clusterEvent);
        lines.put(clusterEvent, new Line(name, now));
        shorten();
        return Optional.of(created(clusterEvent, name, now));
    }

    /** Returns requests for counts that are due; to be called every few seconds. */
    public List<Sending> due(Instant now) {
        follow(now);
        List<Sending> requests = new ArrayList<>();
        Iterator<Map.Entry<ClusterEvent, Line>> all = lines.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<ClusterEvent, Line> entry = all.next();
            Line line = entry.getValue();
            boolean over = !line.last.plus(FORGOTTEN).isAfter(now);
            if (line.count > line.sentCount
                    && (over || !line.sentAt.plus(COUNTED).isAfter(now))) {
                requests.add(series(entry.getKey(), line, now));
            }
            if (over) {
                all.remove();
            }
        }
        allowances
                .values()
                .removeIf(allowance ->
                        allowance.at.plus(REFILL.multipliedBy(BURST)).isBefore(now));
        return requests;
    }

    /** When the clock was set back, all that was before counts as now: otherwise nothing would be due for as long. */
    private void follow(Instant now) {
        if (now.isBefore(latest)) {
            lines.values().forEach(line -> {
                line.last = earlier(line.last, now);
                line.sentAt = earlier(line.sentAt, now);
            });
            allowances.values().forEach(allowance -> allowance.at = earlier(allowance.at, now));
        }
        latest = now;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** The server does not have the event (any more): the next occurrence is a new one. */
    public void lost(ClusterEvent clusterEvent) {
        lines.remove(clusterEvent);
    }

    /** The number of events that were not sent because there were too many for one object. */
    public long suppressed() {
        return suppressed;
    }

    private void shorten() {
        Iterator<ClusterEvent> oldest = lines.keySet().iterator();
        while (lines.size() > LONGEST_BOOK) {
            oldest.next();
            oldest.remove();
        }
    }

    private Sending created(ClusterEvent clusterEvent, String name, Instant now) {
        ObjectReference about = clusterEvent.objectReference();
        Tree regarding = Tree.object("kind", about.kind())
                .with("name", about.name())
                .with("namespace", unlessEmpty(about.namespace()))
                .with("uid", unlessEmpty(about.uid()))
                .with("apiVersion", about.apiVersion());
        Tree event = Tree.object("apiVersion", "events.k8s.io/v1")
                .with("kind", "Event")
                .with("metadata", Tree.object("name", name).with("namespace", about.eventNamespace()))
                .with("eventTime", MICROS.format(now))
                .with("reportingController", controller)
                .with("reportingInstance", instance)
                .with("action", clusterEvent.action())
                .with("reason", clusterEvent.reason())
                .with("regarding", regarding)
                .with("note", clusterEvent.note())
                .with("type", clusterEvent.warning() ? "Warning" : "Normal");
        return new Sending(clusterEvent, WriteRequest.post(path(about), event));
    }

    private static Optional<String> unlessEmpty(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private Sending series(ClusterEvent clusterEvent, Line line, Instant now) {
        line.sentCount = line.count;
        line.sentAt = now;
        Tree series = Tree.object("count", line.count).with("lastObservedTime", MICROS.format(line.last));
        return new Sending(
                clusterEvent,
                WriteRequest.patch(
                        path(clusterEvent.objectReference()) + "/" + line.name, Tree.object("series", series)));
    }

    /** The object's name, shortened if necessary, with a dot and the time. */
    private static String name(ObjectReference about, Instant now) {
        String time = "." + Long.toHexString(nanos(now));
        return TruncatedText.beginning(about.name(), LONGEST_NAME - time.length())
                        .replaceAll("[-.]+$", "")
                + time;
    }

    private static String path(ObjectReference about) {
        return "/apis/events.k8s.io/v1/namespaces/" + about.eventNamespace() + "/events";
    }

    private static long nanos(Instant now) {
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
