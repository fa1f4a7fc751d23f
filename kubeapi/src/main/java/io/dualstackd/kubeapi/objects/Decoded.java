package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The objects and problems of a file.
 *
 * @param objects those that are valid, in the order of the text
 * @param problems in the order of the text
 * @param refused objects that were recognised but are not valid
 * @param anonymousRefusals whether an object was refused whose kind and name could not be read
 * @param faulty Services as written that are refused, for checks that this package does not make
 */
public record Decoded(
        List<LocatedObject> objects,
        List<Problem> problems,
        Set<ObjectKey> refused,
        boolean anonymousRefusals,
        List<LocatedObject> faulty) {
    /** The result for a file without objects. */
    public static final Decoded NOTHING = new Decoded(List.of(), List.of(), Set.of(), false, List.of());

    public Decoded {
        faulty = List.copyOf(faulty);
        objects = List.copyOf(objects);
        problems = List.copyOf(problems);
        refused = Set.copyOf(refused);
    }

    /** Returns the result for a file that could not be read at all, for this reason. */
    public static Decoded unreadable(Problem problem) {
        return new Decoded(List.of(), List.of(problem), Set.of(), true, List.of());
    }

    /** Returns the valid object with this key, if there is one. */
    public Optional<LocatedObject> find(ObjectKey key) {
        return objects.stream().filter(o -> o.object().key().equals(key)).findFirst();
    }
}
