package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Tree;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Returns whole objects. Only the fields that the reconcilers need are kept in memory: an object printed from them and applied again would
 * lose the others, source ranges among them.
 *
 * @param texts whole objects by key; empty for those that are not available
 * @param since when an object was last written; empty when that is not known
 * @param otherwise why an object is not available, and what to do instead
 */
public record WholeObjects(
        Function<ObjectKey, Optional<Tree.Mapping>> texts,
        Function<ObjectKey, Optional<Instant>> since,
        String otherwise) {
    /** For an API server, whose objects are not kept whole. */
    public static final WholeObjects ELSEWHERE = new WholeObjects(
            key -> Optional.empty(),
            key -> Optional.empty(),
            "only what a proxy needs of it is kept here, not the whole object; print it with 'kubectl get -o yaml',"
                    + " or see what is in force here with 'dualstackd get -o wide' and 'dualstackd describe'");

    /** For manifests. */
    public static WholeObjects ofManifests(
            Function<ObjectKey, Optional<Tree.Mapping>> texts, Function<ObjectKey, Optional<Instant>> since) {
        return new WholeObjects(
                texts,
                since,
                "no manifest holds the text that is in force any more (it is refused or has just changed, see"
                        + " 'dualstackd status'), and what is kept here is not the whole object; see it with"
                        + " 'dualstackd get -o wide' and 'dualstackd describe'");
    }

    /** Whether an API server has the objects. */
    boolean areElsewhere() {
        return equals(ELSEWHERE);
    }

    /** Thrown when an object is not available as a whole and so cannot be printed as an object. */
    public static final class Incomplete extends Exception {
        private static final long serialVersionUID = 1;

        Incomplete(String why) {
            super(why);
        }
    }

    /** The object with all of its metadata where that is available, and otherwise with what is kept of it. */
    KnownObject described(KnownObject object) {
        try {
            Optional<Tree> metadata = KnownObject.at(of(object), "metadata");
            return new KnownObject(
                    object.kind(),
                    object.namespace(),
                    object.name(),
                    object.created(),
                    metadata.map(whole -> object.object().with("metadata", whole))
                            .orElse(object.object()),
                    object.whole());
        } catch (Incomplete e) {
            return object;
        }
    }

    /** The object to print. */
    Tree.Mapping of(KnownObject object) throws Incomplete {
        Optional<Tree.Mapping> text = find(object);
        if (text.isEmpty()) {
            throw new Incomplete(name(object) + " cannot be printed as an object: " + otherwise);
        }
        return text.get();
    }

    /** The object with its labels. */
    Tree.Mapping labelled(KnownObject object) throws Incomplete {
        Optional<Tree.Mapping> text = find(object);
        if (text.isEmpty()) {
            String plural = object.kind().plural();
            throw new Incomplete(
                    areElsewhere()
                            ? "labels of " + plural + " are not kept here, only what a proxy needs of them; select them"
                                    + " with 'kubectl get " + plural + " -l'"
                            : "the labels of " + name(object) + " are not known: " + otherwise);
        }
        return text.get();
    }

    private Optional<Tree.Mapping> find(KnownObject object) {
        return object.whole()
                ? Optional.of(object.object())
                : object.kind().key(object.namespace(), object.name()).flatMap(texts);
    }

    private static String name(KnownObject object) {
        return object.kind() + " "
                + (object.namespace().isEmpty() ? object.name() : object.namespace() + "/" + object.name());
    }
}
