package io.dualstackd.standalone.manifest;

import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The stage between the objects in files and the objects in force. Without a control plane, it gives Services their addresses.
 *
 * <p>Used by one thread, the one that reads the files.
 */
public interface AdmissionStage {
    /** The stage that puts every object in force as it is written. */
    AdmissionStage NONE = new AdmissionStage() {
        @Override
        public List<Update> admit(List<Update> updates) {
            return updates;
        }

        @Override
        public List<Update> retain(Predicate<ObjectKey> claimed) {
            return List.of();
        }

        @Override
        public List<Problem> dryRun(List<Update> updates, Function<ObjectKey, Optional<LocatedObject>> places) {
            return List.of();
        }

        @Override
        public List<Problem> problems(Function<ObjectKey, Optional<LocatedObject>> places) {
            return List.of();
        }
    };

    /**
     * Applies changes of files, and changes that have become due since the last call. What was admitted is on disk when this returns. Also
     * called from time to time without changes.
     *
     * @return what has changed in force; holds no {@code WrittenService}
     */
    List<Update> admit(List<Update> updates);

    /**
     * Called once everything has been read at least once: removes what an earlier run of the daemon admitted and no file claims any more.
     *
     * @param claimed whether a file has the object, or may have it in a text that cannot be decoded
     * @return as {@link #admit}
     */
    List<Update> retain(Predicate<ObjectKey> claimed);

    /**
     * Returns what {@link #admit} would refuse for these updates; changes nothing.
     *
     * @param places the place of an object in its file
     */
    List<Problem> dryRun(List<Update> updates, Function<ObjectKey, Optional<LocatedObject>> places);

    /** Returns what {@link #admit} would put in force for these updates; changes nothing. */
    default List<Update> wouldPut(List<Update> updates) {
        return updates;
    }

    /** The whole object in force under this name, labels included, if this stage records it on disk. */
    default Optional<Tree.Mapping> recorded(ObjectKey key) {
        return Optional.empty();
    }

    /** Whether what is in force is of use: false as long as nothing could be admitted since the start, and nothing was before. */
    default boolean isReady() {
        return true;
    }

    /** Whether this stage created the object itself, so that it can be deleted although no file contains it. */
    default boolean isGenerated(ObjectKey key) {
        return false;
    }

    /**
     * The objects in files that are not in force, with the reasons.
     *
     * @param places the place of an object in its file
     */
    List<Problem> problems(Function<ObjectKey, Optional<LocatedObject>> places);
}
