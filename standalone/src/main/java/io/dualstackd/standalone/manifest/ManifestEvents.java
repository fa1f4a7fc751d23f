package io.dualstackd.standalone.manifest;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.DestinationConflict;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.view.Destination;
import io.dualstackd.kubeapi.view.ServiceViews;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.EventRecorder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Turns problems of manifests, and destinations that several Services name, into events: one when something appears, and one when it is
 * over. Used by one thread at a time.
 */
public final class ManifestEvents {
    private final EventRecorder recorder;
    private final ObjectKey node;
    private final Function<ServiceKey, Optional<Service>> services;
    private Set<Problem> problems = Set.of();
    private Map<Lost, DestinationConflict> conflicts = Map.of();

    /** A Service does not get a destination. */
    private record Lost(ServiceKey loser, Destination what) {}

    /**
     * @param node the object of events about texts in which no object can be recognized
     * @param services the Services in force
     */
    public ManifestEvents(EventRecorder recorder, ObjectKey node, Function<ServiceKey, Optional<Service>> services) {
        this.recorder = recorder;
        this.node = node;
        this.services = services;
    }

    /**
     * Records the difference from the last call.
     *
     * @param now the problems, without conflicts
     * @param disputes the conflicts, and each as a problem
     */
    public void update(List<Problem> now, Map<DestinationConflict, Problem> disputes) {
        update(now);
        update(disputes);
    }

    private void update(List<Problem> now) {
        Set<Problem> after = new HashSet<>(now);
        for (Problem problem : now) {
            if (!problems.contains(problem)) {
                recorder.record(
                        about(problem),
                        Event.Type.WARNING,
                        problem.isError() ? "ManifestRefused" : "ManifestWarning",
                        words(problem));
            }
        }
        for (Problem problem : problems) {
            if (!after.contains(problem)) {
                recorder.record(about(problem), Event.Type.NORMAL, "ManifestRepaired", "no longer: " + words(problem));
            }
        }
        problems = after;
    }

    private void update(Map<DestinationConflict, Problem> disputes) {
        Map<Lost, DestinationConflict> after = new LinkedHashMap<>();
        disputes.forEach((conflict, problem) -> {
            after.put(new Lost(conflict.loser(), conflict.what()), conflict);
            if (!conflict.equals(conflicts.get(new Lost(conflict.loser(), conflict.what())))) {
                recorder.record(about(problem), Event.Type.WARNING, "DestinationConflict", words(problem));
            }
        });
        conflicts.forEach((lost, conflict) -> {
            if (!after.containsKey(lost) && names(lost)) {
                recorder.record(
                        service(lost.loser()),
                        Event.Type.NORMAL,
                        "DestinationGained",
                        lost.what() + " no longer belongs to " + service(conflict.holder()) + "; "
                                + service(lost.loser()) + " answers now");
            }
        });
        conflicts = new HashMap<>(after);
    }

    /** Whether the Service still wants the destination. */
    private boolean names(Lost lost) {
        return services.apply(lost.loser())
                .filter(service -> ServiceViews.destinations(service).contains(lost.what()))
                .isPresent();
    }

    private static ObjectKey service(ServiceKey key) {
        return new ObjectKey(ObjectKey.Kind.SERVICE, key.namespace(), key.name());
    }

    private ObjectKey about(Problem problem) {
        return ObjectKey.parse(problem.object()).orElse(node);
    }

    /** The problem without its object, which the event names. */
    private String words(Problem problem) {
        return about(problem).equals(node)
                ? problem.toString()
                : new Problem(problem.severity(), problem.place(), "", problem.value(), problem.rule()).toString();
    }
}
