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
     * @param well whether nothing is wrong with any of the objects
     * @param missing the targets with a name of which there is no object
     */
    public record Said(String text, boolean well, List<Listing.Target> missing) {
        public Said {
            missing = List.copyOf(missing);
        }
    }

    /** Describes the objects, with an empty line between two of them. */
    public Said of(KnownObjects objects) throws WholeObjects.Incomplete {
        List<Listing.Target> missing = new ArrayList<>();
        Map<ObjectKind, List<KnownObject>> found = new LinkedHashMap<>(listing.select(objects, missing));
        List<String> texts = new ArrayList<>();
        boolean well = true;
        for (KnownObject object : found.values().stream().flatMap(List::stream).toList()) {
            Optional<ServiceDescription.Said> service = object.kind() == ObjectKind.SERVICES
                    ? ServiceDescription.of(objects.report(), object.namespace(), object.name())
                    : Optional.empty();
            well &= service.map(ServiceDescription.Said::well).orElse(true);
            texts.add(
                    service.map(ServiceDescription.Said::text).orElseGet(() -> ObjectDescription.of(objects, object)));
        }
        for (Listing.Target target : List.copyOf(missing)) {
            // A Service of which only a refused text is known.
            Optional<ServiceDescription.Said> refused = target.kind() == ObjectKind.SERVICES
                    ? ServiceDescription.of(
                            objects.report(),
                            listing.namespace().orElse(""),
                            target.name().orElse(""))
                    : Optional.empty();
            if (refused.isPresent()) {
                missing.remove(target);
                texts.add(refused.get().text());
                well = false;
            }
        }
        return new Said(String.join("\n", texts), well, missing);
    }
}
