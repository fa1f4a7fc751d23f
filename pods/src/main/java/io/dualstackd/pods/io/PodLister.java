package io.dualstackd.pods.io;

import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.PodCache;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.Relist;
import io.dualstackd.pods.RelistPace;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.RuntimeReport.Outage;
import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxReport;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.sys.SteadyClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Exchanges with the runtime: reads lists and the status of changed sandboxes, and passes the pod CIDRs. Used by one thread. */
final class PodLister {
    private static final Logger LOG = LoggerFactory.getLogger("pods");

    /** The conditions of a runtime change rarely and are only shown. */
    private static final Duration CONDITIONS = Duration.ofSeconds(30);

    /** In times of what a request took that had no answer. */
    private static final int LONGEST_PAUSE = 9;

    private final PodRuntime runtime;
    private final Supplier<NodeNames> node;
    private final Supplier<PodCidrs> cidrs;
    private PodCache cache = PodCache.EMPTY;
    private List<Sandbox> sandboxesBefore = List.of();
    private List<Container> containersBefore = List.of();
    private Relist relist = new Relist(List.of(), List.of());
    private @Nullable NodeNames namesBefore;
    /** The sandboxes whose status is still to be read after the last list. */
    private Set<String> unread = Set.of();
    /** Those of them whose status could not be read when it was last requested, by the time of that request. */
    private final Set<String> failing = new LinkedHashSet<>();
    /** From when on they are requested again. */
    private Instant failingDue = Instant.MIN;
    /** The requests for a status in a row that ended without an answer. */
    private int timeouts;
    /** Whether they were due the last time, and others came first. */
    private boolean failingWait;

    private PodCidrs announced = PodCidrs.NONE;
    private boolean announcementRefused;
    private long connections;
    private Optional<RuntimeVersion> version = Optional.empty();
    private Optional<RuntimeConditions> conditions = Optional.empty();
    private Instant conditionsDue = Instant.MIN;
    private Optional<Outage> outage = Optional.empty();
    private volatile RuntimeReport report;

    PodLister(PodRuntime runtime, Supplier<NodeNames> node, Supplier<PodCidrs> cidrs) {
        this.runtime = runtime;
        this.node = node;
        this.cidrs = cidrs;
        this.report = RuntimeReport.unasked(runtime.endpoint());
    }

    RuntimeReport report() {
        return report;
    }

    Pods pods() {
        return cache.pods();
    }

    /** Ids of sandboxes that are not fully known after the last list: their status could not be read, or has no address yet. */
    Set<String> unread() {
        return unread;
    }

    /** @return false when the runtime did not answer; the known pods stay */
    boolean run(Instant now, boolean trusted, Heartbeat heartbeat) {
        heartbeat.beat();
        RuntimeResult<List<Sandbox>> sandboxes = runtime.sandboxes();
        RuntimeResult<List<Container>> containers =
                sandboxes instanceof RuntimeResult.Ok<?> ? runtime.containers() : sandboxes.map(none -> List.of());
        if (sandboxes instanceof RuntimeResult.Ok<List<Sandbox>>(List<Sandbox> listed)
                && containers instanceof RuntimeResult.Ok<List<Container>>(List<Container> inside)) {
            read(listed, inside, node.get(), heartbeat);
            heartbeat.beat();
            answered();
            updateReport(Optional.of(now), trusted);
            return true;
        }
        silent(now, why(containers));
        updateReport(report.listed(), trusted);
        return false;
    }

    private void read(List<Sandbox> listed, List<Container> inside, NodeNames names, Heartbeat heartbeat) {
        if (runtime.connections() != connections) {
            timeouts = 0;
            failingDue = Instant.MIN;
        }
        // Cheap: the client returns the same objects while the content is unchanged.
        boolean same = listed.equals(sandboxesBefore) && inside.equals(containersBefore);
        if (same && unread.isEmpty() && names.equals(namesBefore)) {
            return;
        }
        Relist now = same ? relist : new Relist(listed, inside);
        List<String> ids = cache.toLookAt(now);
        if (!same || !ids.isEmpty() || !names.equals(namesBefore)) {
            cache = cache.next(now, reports(ids, heartbeat), names);
        }
        unread = ids.isEmpty() ? Set.of() : Set.copyOf(cache.toLookAt(now));
        // Last, so that the same lists are read again after an exception.
        relist = now;
        sandboxesBefore = listed;
        containersBefore = inside;
        namesBefore = names;
    }

    private Map<String, SandboxReport> reports(List<String> ids, Heartbeat heartbeat) {
        Map<String, SandboxReport> reports = new HashMap<>();
        for (String id : due(ids)) {
            boolean failed = failing.remove(id);
            // Each request may take as long as its timeout.
            heartbeat.beat();
            Instant asked = SteadyClock.now();
            RuntimeResult<SandboxReport> runtimeResult = runtime.sandbox(id);
            switch (runtimeResult) {
                case RuntimeResult.Ok<SandboxReport>(SandboxReport sandbox) -> reports.put(id, sandbox);
                case RuntimeResult.NotFound<SandboxReport> ignored -> reports.put(id, SandboxReport.GONE);
                case RuntimeResult.Unimplemented<SandboxReport> ignored -> failed(id, failed, runtimeResult);
                case RuntimeResult.Unreachable<SandboxReport> ignored -> {
                    // The other requests would time out as well; if not, they come first the next time.
                    failed(id, failed, runtimeResult);
                    failingDue = SteadyClock.now().plus(pause(Duration.between(asked, SteadyClock.now()), timeouts++));
                    return reports;
                }
                case RuntimeResult.Broken<SandboxReport> ignored -> failed(id, failed, runtimeResult);
            }
            if (failed && failing.isEmpty()) {
                LOG.info("the status of all sandboxes can be read again");
            }
        }
        return reports;
    }

    /**
     * Returns those of the ids that are requested now. A status that never comes takes as long as the timeout each time, in which nothing
     * else is read: it is requested alone if possible, so that what others answered is passed on before, and less and less often.
     */
    private List<String> due(List<String> ids) {
        failing.retainAll(Set.copyOf(ids));
        List<String> due = new ArrayList<>(ids);
        due.removeAll(failing);
        if (failing.isEmpty()) {
            timeouts = 0;
        } else if (!SteadyClock.now().isBefore(failingDue)) {
            // Others may be there each time: a sandbox that has no address yet.
            failingWait = !due.isEmpty() && !failingWait;
            if (!failingWait) {
                due.addAll(failing);
            }
        }
        return due;
    }

    /**
     * Returns how long not to request statuses again that did not come: at first not at all, because a runtime may be busy for once, in the end
     * nine times as long as one request took.
     *
     * @param before the requests in a row that had no answer before this one
     */
    private static Duration pause(Duration took, int before) {
        Duration pause = took.multipliedBy(Math.min(before, LONGEST_PAUSE));
        return pause.compareTo(RelistPace.LONG) < 0 ? pause : RelistPace.LONG;
    }

    /**
     * One warning for all of them: a runtime in trouble may answer for none of a hundred.
     *
     * @param before its last request failed, too
     */
    private void failed(String id, boolean before, RuntimeResult<?> runtimeResult) {
        if (failing.isEmpty() && !before) {
            LOG.warn(
                    "the status of a sandbox cannot be read; further ones are logged at level debug sandbox={} reason=\"{}\" next=\"its pod stays as it was known, try again\"",
                    id,
                    why(runtimeResult));
        } else {
            LOG.debug("sandbox not read sandbox={} reason=\"{}\" next=try-again", id, why(runtimeResult));
        }
        failing.add(id);
    }

    private void answered() {
        boolean first = report.listed().isEmpty();
        long connectionsNow = runtime.connections();
        // A runtime that is back within a second may have been restarted between two lists.
        boolean again = connectionsNow != connections;
        connections = connectionsNow;
        if (first || again || outage.isPresent()) {
            version = runtime.version() instanceof RuntimeResult.Ok<RuntimeVersion>(RuntimeVersion v)
                    ? Optional.of(v)
                    : version;
            LOG.info(
                    "runtime answers endpoint={} runtime={} pods={}",
                    runtime.endpoint(),
                    version.map(v -> v.name() + "-" + v.version()).orElse("unknown"),
                    cache.pods().all().size());
            outage = Optional.empty();
            conditionsDue = SteadyClock.now();
            // It may be a different runtime, or have lost its state.
            announced = PodCidrs.NONE;
        }
        if (!SteadyClock.now().isBefore(conditionsDue)) {
            conditions = runtime.conditions() instanceof RuntimeResult.Ok<RuntimeConditions>(RuntimeConditions c)
                    ? Optional.of(c)
                    : Optional.empty();
            conditionsDue = SteadyClock.now().plus(CONDITIONS);
        }
        announce(cidrs.get());
    }

    private void announce(PodCidrs wanted) {
        if (wanted.equals(announced) || wanted.equals(PodCidrs.NONE)) {
            return;
        }
        RuntimeResult<PodCidrs> runtimeResult = runtime.announce(wanted);
        if (runtimeResult instanceof RuntimeResult.Ok<PodCidrs>) {
            announced = wanted;
            announcementRefused = false;
            LOG.info("networks of pods passed to the runtime pod-cidrs={}", wanted);
        } else if (!announcementRefused) {
            announcementRefused = true;
            LOG.warn(
                    "networks of pods not passed to the runtime pod-cidrs={} reason=\"{}\" next=try-again",
                    wanted,
                    why(runtimeResult));
        }
    }

    private void silent(Instant now, String reason) {
        if (outage.isEmpty()) {
            LOG.warn(
                    "runtime does not answer endpoint={} reason=\"{}\" next=\"pods stay as they were, try again\"",
                    runtime.endpoint(),
                    reason);
        }
        outage = Optional.of(new Outage(outage.map(Outage::since).orElse(now), reason));
    }

    private void updateReport(Optional<Instant> listed, boolean trusted) {
        report = new RuntimeReport(runtime.endpoint(), version, conditions, listed, outage, runtime.events(), trusted);
    }

    private static String why(RuntimeResult<?> runtimeResult) {
        return runtimeResult instanceof RuntimeResult.Failure<?> failure ? failure.reason() : "";
    }
}
