package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Converts conflicts to problems of the Services that lose a destination. */
public final class ConflictProblems {
    private final Function<ObjectKey, Optional<? extends Place>> places;
    private final Place elsewhere;

    /**
     * @param places the place where a Service is written
     * @param elsewhere the place for other Services
     */
    public ConflictProblems(Function<ObjectKey, Optional<? extends Place>> places, Place elsewhere) {
        this.places = places;
        this.elsewhere = elsewhere;
    }

    /** One warning for each: both Services are used, but only one gets the destination. */
    public List<Problem> of(List<DestinationConflict> disputes) {
        return problems(disputes, Problem.Severity.WARNING);
    }

    /** One error for each, for Services that are refused because of the conflict. */
    public List<Problem> refusals(List<DestinationConflict> disputes) {
        return problems(disputes, Problem.Severity.ERROR);
    }

    private List<Problem> problems(List<DestinationConflict> disputes, Problem.Severity severity) {
        return disputes.stream().map(conflict -> problem(conflict, severity)).toList();
    }

    private Problem problem(DestinationConflict destinationConflict, Problem.Severity severity) {
        ObjectKey loser = key(destinationConflict.loser());
        ObjectKey holder = key(destinationConflict.holder());
        Optional<? extends Place> known = places.apply(holder);
        return new Problem(
                severity,
                place(loser),
                loser.toString(),
                "",
                destinationConflict.what() + " belongs to " + holder
                        + known.map(place -> " at " + place).orElse("") + ", which had it first and "
                        + (severity == Problem.Severity.ERROR ? "keeps it" : "answers; " + loser + " does not get it"));
    }

    private Place place(ObjectKey key) {
        return places.apply(key).<Place>map(place -> place).orElse(elsewhere);
    }

    private static ObjectKey key(ServiceKey service) {
        return new ObjectKey(ObjectKey.Kind.SERVICE, service.namespace(), service.name());
    }
}
