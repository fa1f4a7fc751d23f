package io.dualstackd.standalone.manifest;

import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.standalone.serviceapi.Violations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Services that were refused when they were decoded, and are checked by the rules of the Service API all the same, so that all errors of a
 * text are reported at once.
 *
 * @param byKey those that can be distinguished
 * @param others the places of all other objects
 */
public record FaultyServices(Map<ObjectKey, LocatedObject> byKey, Function<ObjectKey, Optional<LocatedObject>> others) {
    /** @param valid finds the objects that are not refused */
    public static FaultyServices of(List<LocatedObject> faulty, Function<ObjectKey, Optional<LocatedObject>> valid) {
        Map<ObjectKey, LocatedObject> byKey = new LinkedHashMap<>();
        faulty.stream()
                .filter(object -> valid.apply(object.object().key()).isEmpty())
                .forEach(object -> byKey.putIfAbsent(object.object().key(), object));
        return new FaultyServices(byKey, valid);
    }

    /**
     * Judges updates together with these Services, which get no numbers.
     *
     * @param known what decoding found; nothing is reported about the same fields again
     */
    public List<Problem> dryRun(AdmissionStage stage, List<Update> updates, List<Problem> known) {
        List<Update> all = new ArrayList<>(updates);
        byKey.values().forEach(faulty -> all.add(new Update.Put(faulty.object())));
        return stage.dryRun(all, key -> Optional.ofNullable(byKey.get(key)).or(() -> others.apply(key))).stream()
                .filter(problem -> known.stream().noneMatch(decoded -> covers(decoded, problem)))
                .map(FaultyServices::named)
                .toList();
    }

    private static boolean covers(Problem decoded, Problem problem) {
        return decoded.isError()
                && decoded.place() instanceof Place.InFile(var file, var document, var _, var field)
                && problem.place() instanceof Place.InFile other
                && file.equals(other.file())
                && document == other.document()
                && !field.isEmpty()
                && Violations.contains(field, other.field());
    }

    /** A Service without a name is not named in the message. */
    private static Problem named(Problem problem) {
        return problem.object().endsWith("/") || problem.object().endsWith(" ")
                ? new Problem(problem.severity(), problem.place(), "", problem.value(), problem.rule())
                : problem;
    }
}
