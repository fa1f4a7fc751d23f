package io.dualstackd.agent.admin.objects;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.print.OutputValue;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where whole objects come from. What lines need of an object is kept in memory, and that is not all of it: printed as an object and
 * applied again, it would lose the rest, source ranges among it.
 *
 * @param texts whole objects by key; empty for those that cannot be had
 * @param otherwise why one cannot be had, and what to do instead
 */
public record WholeObjects(Function<ObjectKey, Optional<OutputValue.Fields>> texts, String otherwise) {
    /** Of an API server, whose objects are not kept whole. */
    public static final WholeObjects ELSEWHERE = new WholeObjects(
            key -> Optional.empty(),
            "only what a proxy needs of it is kept here, not the whole object; print it with 'kubectl get -o yaml',"
                    + " or see what is in force here with 'dualstackd get -o wide' and 'dualstackd describe'");

    /** Of manifests. */
    public static WholeObjects ofManifests(Function<ObjectKey, Optional<OutputValue.Fields>> texts) {
        return new WholeObjects(
                texts,
                "no manifest holds the text that is in force any more (it is refused or has just changed, see"
                        + " 'dualstackd status'), and what is kept here is not the whole object; see it with"
                        + " 'dualstackd get -o wide' and 'dualstackd describe'");
    }

    /** An object that cannot be printed whole is not printed as an object. */
    static final class Incomplete extends Exception {
        private static final long serialVersionUID = 1;

        Incomplete(String why) {
            super(why);
        }
    }

    /** The object as it is to be printed. */
    OutputValue.Fields of(KnownObject object) throws Incomplete {
        if (object.whole()) {
            return object.object();
        }
        Optional<OutputValue.Fields> text =
                object.kind().key(object.namespace(), object.name()).flatMap(texts);
        if (text.isEmpty()) {
            String name = object.namespace().isEmpty() ? object.name() : object.namespace() + "/" + object.name();
            throw new Incomplete(object.kind() + " " + name + " cannot be printed as an object: " + otherwise);
        }
        return text.get();
    }
}
