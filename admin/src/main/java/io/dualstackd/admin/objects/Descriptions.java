package io.dualstackd.admin.objects;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A {@code describe} request.
 *
 * @param listing the objects to describe; its format is not used
 */
public record Descriptions(Listing listing) {
    /**
     * The result.
     *
     * @param healthy whether nothing is wrong with any of the objects
     * @param missing the targets with a name of which there is no object
     */
    public record Result(String text, boolean healthy, List<Listing.Target> missing) {
        public Result {
            missing = List.copyOf(missing);
        }
    }

    /** Describes the objects, with an empty line between two of them. */
    public Result of(KnownObjects objects) throws WholeObjects.Incomplete {
        List<Listing.Target> missing = new ArrayList<>();
        Map<ObjectKind, List<KnownObject>> found = new LinkedHashMap<>(listing.select(objects, missing));
        List<String> texts = new ArrayList<>();
        boolean healthy = true;
        for (KnownObject object : found.values().stream().flatMap(List::stream).toList()) {
            Optional<ServiceDescription.Result> service = object.kind() == ObjectKind.SERVICES
                    ? ServiceDescription.of(objects.report(), object.namespace(), object.name())
                    : Optional.empty();
            healthy &= service.map(ServiceDescription.Result::healthy).orElse(true);
            texts.add(service.map(ServiceDescription.Result::text)
                    .orElseGet(() -> ObjectDescription.of(objects, object)));
        }
        for (Listing.Target target : List.copyOf(missing)) {
            // A Service of which only a refused text is known.
            Optional<ServiceDescription.Result> refused = target.kind() == ObjectKind.SERVICES
                    ? ServiceDescription.of(
                            objects.report(),
                            listing.namespace().orElse(""),
                            target.name().orElse(""))
                    : Optional.empty();
            if (refused.isPresent()) {
                missing.remove(target);
                texts.add(refused.get().text());
                healthy = false;
            }
        }
        return new Result(String.join("\n", texts), healthy, missing);
    }
}
