package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.RefusalSearch.Trial;
import io.dualstackd.dataplane.model.ServiceKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Services of one reconciler that the kernel refuses, and what it last accepted of them. Used by one thread.
 *
 * @param <T> what is applied of one Service
 */
final class LeftOutServices<T> {
    private final Predicate<T> nothing;
    private final Refusals refusals = new Refusals();
    /** What the kernel last accepted of Services that are left out, while there is no applied state. */
    private final Map<ServiceKey, T> kept = new HashMap<>();
    /** Services of which something was only found in the kernel, and may be a remnant of something else. */
    private final Set<ServiceKey> asFound = new HashSet<>();
    /** Services for which the last full comparison wrote, or would have written, something. */
    private final List<ServiceKey> suspects = new ArrayList<>();
    /** Services left unchanged while the refused one is searched for. */
    private final Set<ServiceKey> withheld = new HashSet<>();

    /** @param nothing whether a value means that nothing is applied */
    LeftOutServices(Predicate<T> nothing) {
        this.nothing = nothing;
    }

    Refusals refusals() {
        return refusals;
    }

    /**
     * These Services changed: those that are left out are tried again.
     *
     * @return whether all has to be compared, because what one of them had was only found, and then what no Service wants was left alone
     */
    boolean retry(Set<ServiceKey> changed) {
        boolean onlyFound =
                !asFound.isEmpty() && changed.stream().anyMatch(key -> refusals.leftOut(key) && asFound.contains(key));
        changed.forEach(refusals::retryAll);
        return onlyFound;
    }

    /** A full comparison starts. */
    void compareAll() {
        suspects.clear();
    }

    /** Adds a Service for which the full comparison writes, or would write, something. */
    void suspect(ServiceKey key) {
        suspects.add(key);
    }

    /** Whether no refusal is known: everything of every Service may be written. */
    boolean isEmpty() {
        return refusals.isEmpty() && withheld.isEmpty();
    }

    /** Whether nothing of the Service may be written now. */
    boolean skips(ServiceKey key) {
        return refusals.leftOut(key) || withheld.contains(key);
    }

    /** What the kernel last accepted of a Service, for a full comparison; when it is not known, what is found there counts. */
    Optional<T> accepted(ServiceKey key) {
        T had = kept.get(key);
        if (had == null) {
            asFound.add(key);
        }
        return Optional.ofNullable(had);
    }

    /**
     * What the kernel last accepted of the Services that are left out, where that is known.
     *
     * @param applied the applied state of a Service
     */
    Map<ServiceKey, T> accepted(Function<ServiceKey, T> applied) {
        Map<ServiceKey, T> accepted = applied(applied);
        accepted.keySet().removeAll(asFound);
        return accepted;
    }

    private Map<ServiceKey, T> applied(Function<ServiceKey, T> applied) {
        Map<ServiceKey, T> all = new HashMap<>();
        for (ServiceKey key : refusals.leftOut().keySet()) {
            T one = applied.apply(key);
            if (!nothing.test(one)) {
                all.put(key, one);
            }
        }
        return all;
    }

    /** Keeps what the kernel last accepted of some Services until there is an applied state again. */
    void keep(Map<ServiceKey, T> accepted) {
        accepted.forEach((key, one) -> {
            if (!nothing.test(one) && !asFound.contains(key)) {
                kept.put(key, one);
            }
        });
    }

    /** A transaction was accepted, and there is an applied state. */
    void settled() {
        refusals.settled();
        kept.keySet().retainAll(refusals.leftOut().keySet());
        asFound.removeIf(key -> !skips(key));
    }

    /** The changes of some withheld Services were accepted. */
    void taken(Collection<ServiceKey> group) {
        group.forEach(withheld::remove);
        group.forEach(asFound::remove);
    }

    /**
     * Of the Services left out, those for which what the kernel last accepted stays in force.
     *
     * @param applied the applied state of a Service; null when there is none
     */
    Set<ServiceKey> inForce(@Nullable Function<ServiceKey, T> applied) {
        return applied == null
                ? kept.keySet().stream().filter(refusals::leftOut).collect(Collectors.toSet())
                : applied(applied).keySet();
    }

    /** A sync as a whole, made of transactions that find the refused Services. */
    interface Search extends Trial {
        /** Compares in full, without the Services that are withheld. */
        SyncResult compareOthers();

        /** Ends the trials: compares in full, without what was found to be refused. */
        SyncResult compareAll();

        /** The trials cannot go on. */
        SyncResult failed(Result result);
    }

    /** Whether the kernel refuses full comparisons without naming a Service, and which may be the cause is known. */
    boolean needsSearch(SyncResult report) {
        return report.result() instanceof Result.Refused
                && refusals.unexplained()
                && report.comparedAll()
                && !suspects.isEmpty();
    }

    /** Finds the Services that the kernel refuses, and applies the changes of all others. */
    SyncResult search(Search search) {
        List<ServiceKey> together = List.copyOf(suspects);
        Optional<Result> ended;
        withheld.addAll(together);
        try {
            SyncResult others = search.compareOthers();
            if (others.needsRetry()) {
                // What remains belongs to the node, or is no longer refused.
                return others;
            }
            ended = new RefusalSearch(search, refusals::leaveOut).run(together);
        } finally {
            withheld.clear();
        }
        if (ended.isPresent()) {
            refusals.searchOn();
            return search.failed(ended.get());
        }
        return search.compareAll();
    }
}
