package io.dualstackd.node.report.io;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.client.WriteRequest;
import io.dualstackd.kubeapi.client.io.ApiClient;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.node.AddressChoice;
import io.dualstackd.node.report.AddressManagement;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.NodeObject;
import io.dualstackd.node.report.NodeUpdate;
import io.dualstackd.node.report.WriteGuard;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.NodeIps;
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
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the addresses of the own Node object up to date: checks them on {@link #wakeUp} and every five minutes, and writes only
 * differences. An outdated version is read again at once.
 */
public final class NodeReporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("node-status");

    private static final Duration ROUND = Duration.ofMinutes(5);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);
    private static final int CONFLICT = 409;
    private static final int MOST_TRIES = 5;

    private final ApiClient apiClient;
    private final Wanted wanted;
    private final Consumer<ClusterEvent> events;
    private final InstantSource clock;
    private final Platform platform;
    private final Platform.Permits wakeups;
    private final WriteGuard guard = new WriteGuard();
    private final Worker worker;
    /** The addresses last written, and the object's uid. While the object has them, no other writer has changed it. */
    private Optional<Written> lastWritten = Optional.empty();

    private volatile String lastProblem = "";

    private record Written(String uid, List<NodeObject.Address> addresses) {}

    /**
     * The desired content of the object; evaluated for each check.
     *
     * @param node its name
     * @param given {@code --node-ips}
     * @param chosen addresses of this host, chosen without the Node object
     * @param host its interfaces
     * @param hostname for a node without any name among its addresses
     */
    public record Wanted(
            String node,
            AddressManagement duty,
            Supplier<Optional<NodeIps>> given,
            Supplier<AddressChoice> chosen,
            Supplier<Host> host,
            String hostname) {}

    private NodeReporter(
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
        this.worker = supervisor.worker(Component.NODE_STATUS, this::run);
    }

    /** @param events is notified of each change */
    public static NodeReporter start(
            ApiClient apiClient, Wanted wanted, Consumer<ClusterEvent> events, Supervisor supervisor) {
        return start(apiClient, wanted, events, supervisor.platform().steady(), supervisor);
    }

    static NodeReporter start(
            ApiClient apiClient,
            Wanted wanted,
            Consumer<ClusterEvent> events,
            InstantSource clock,
            Supervisor supervisor) {
        NodeReporter reporter = new NodeReporter(apiClient, wanted, events, clock, supervisor);
        reporter.worker.start();
        return reporter;
    }

    /** The object or the host's addresses may have changed. Thread-safe. */
    public void wakeUp() {
        wakeups.release();
    }

    /** Why the object does not have the desired content; empty when it has. */
    public Optional<String> problem() {
        return lastProblem.isEmpty() ? Optional.empty() : Optional.of(lastProblem);
    }

    private void run(Heartbeat heartbeat) throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            boolean done = lookAndSurvive(heartbeat);
            boolean nudged =
                    BoundedWait.inParts(platform, heartbeat, done ? ROUND : AFTER_FAILURE, wakeups::tryAcquire);
            if (nudged) {
                wakeups.drain();
            }
        }
    }

    /** The result of writing the differences. */
    private enum Outcome {
        /** Nothing can be improved now by writing again. */
        DONE,
        /** The server did not take a request. */
        FAILED,
        /** The version was outdated, because of another writer or of the previous write. */
        OUTDATED
    }

    /** An error with one object must not end the checks. */
    private boolean lookAndSurvive(Heartbeat heartbeat) {
        try {
            return check(heartbeat);
        } catch (RuntimeException e) {
            String problem = "an error in dualstackd: " + e;
            if (!problem.equals(lastProblem)) {
                LOG.error("error while updating node addresses, trying again", e);
            }
            return report(problem);
        }
    }

    /** Returns false when it should be tried again soon. */
    private boolean check(Heartbeat heartbeat) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            // Each request may take minutes.
            heartbeat.beat();
            switch (apiClient.get("/api/v1/nodes/" + wanted.node())) {
                case Reply.Failed(String why) -> {
                    return report(why);
                }
                case Reply.Refused(ApiStatus status) -> {
                    return report("the Node object cannot be read: " + text(status));
                }
                case Reply.Done(int code, String body) -> {
                    Optional<NodeObject> node = NodeObject.read(body);
                    if (node.isEmpty()) {
                        return report("the answer of the API server is no Node");
                    }
                    Outcome outcome = write(node.get(), heartbeat);
                    if (outcome != Outcome.OUTDATED) {
                        return outcome == Outcome.DONE;
                    }
                }
            }
        }
        return report("the Node object changes faster than it can be written");
    }

    private Outcome write(NodeObject node, Heartbeat heartbeat) {
        NodeUpdate plan = NodeUpdate.of(
                node,
                wanted.duty(),
                wanted.given().get(),
                wanted.chosen().get(),
                wanted.host().get(),
                wanted.hostname());
        String problem = plan.problem().orElse("");
        boolean outdated = false;
        boolean failed = false;
        boolean undisputed = lastWritten
                .filter(new Written(node.uid(), node.addresses())::equals)
                .isPresent();
        for (WriteRequest writeRequest : plan.requests()) {
            Object what = content(writeRequest, node);
            if (undisputed && isStatus(writeRequest)) {
                // The host's addresses change often, which is no contest.
                guard.forget(what);
            }
            if (!guard.mayWrite(what, clock.instant())) {
                problem = "another writer keeps changing the Node object, left alone for an hour: " + writeRequest;
                continue;
            }
            if (outdated) {
                return Outcome.OUTDATED;
            }
            heartbeat.beat();
            switch (apiClient.send(writeRequest)) {
                case Reply.Done done -> {
                    guard.wrote(what, clock.instant());
                    if (isStatus(writeRequest)) {
                        lastWritten = Optional.of(new Written(node.uid(), plan.addresses()));
                    }
                    written(node, plan, writeRequest);
                    // The remaining requests contain the version before this write.
                    outdated = true;
                }
                case Reply.Failed(String why) -> {
                    problem = why;
                    failed = true;
                }
                case Reply.Refused(ApiStatus status) -> {
                    if (status.code() == CONFLICT) {
                        return Outcome.OUTDATED;
                    }
                    problem = writeRequest + " was refused: " + text(status);
                    failed = true;
                }
            }
        }
        report(problem);
        // The taint is removed once the addresses are there.
        boolean more = outdated && node.isTainted();
        return failed ? Outcome.FAILED : more ? Outcome.OUTDATED : Outcome.DONE;
    }

    /** What the request writes to which object, without its version. */
    private static Object content(WriteRequest writeRequest, NodeObject node) {
        String version = "\"resourceVersion\":\"" + node.resourceVersion() + "\"";
        return List.of(node.uid(), writeRequest.path(), writeRequest.body().replace(version, ""));
    }

    private static boolean isStatus(WriteRequest writeRequest) {
        return writeRequest.path().endsWith("/status");
    }

    private void written(NodeObject before, NodeUpdate plan, WriteRequest writeRequest) {
        if (isStatus(writeRequest)) {
            String addresses = plan.addresses().stream().map(Object::toString).collect(Collectors.joining(", "));
            LOG.info("node addresses written addresses=\"{}\"", addresses);
            events.accept(ClusterEvent.nodeAddresses(before.name(), addresses));
        } else {
            LOG.info("node annotated for its provider or freed of the provider's taint request=\"{}\"", writeRequest);
        }
    }

    private boolean report(String problem) {
        if (!problem.isEmpty() && !problem.equals(lastProblem)) {
            LOG.warn("addresses of the Node object cannot be updated error=\"{}\"", problem);
        } else if (problem.isEmpty() && !lastProblem.isEmpty()) {
            LOG.info("addresses of the Node object are up to date again");
        }
        lastProblem = problem;
        return problem.isEmpty();
    }

    private static String text(ApiStatus status) {
        return status.code() + " " + status.reason() + (status.message().isEmpty() ? "" : ": " + status.message());
    }

    @Override
    public void close() {
        worker.interrupt();
    }
}
