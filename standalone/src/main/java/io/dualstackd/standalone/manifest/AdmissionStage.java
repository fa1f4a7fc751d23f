package io.dualstackd.standalone.manifest;

import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What stands between what files say and what is in force: where there is no control plane, somebody has to give Services their addresses.
 *
 * <p>Used by one thread, the one that reads the files.
 */
public interface AdmissionStage {
    /** Everything is in force as it is said. */
    AdmissionStage NONE = new AdmissionStage() {
        @Override
        public List<Update> admit(List<Update> said) {
            return said;
        }

        @Override
        public List<Update> retain(Predicate<ObjectKey> claimed) {
            return List.of();
        }

        @Override
        public List<Problem> dryRun(List<Update> said, Function<ObjectKey, Optional<LocatedObject>> places) {
            return List.of();
        }

        @Override
        public List<Problem> problems(Function<ObjectKey, Optional<LocatedObject>> places) {
            return List.of();
        }
    };

    /**
     * News of what files say, and the moment for what has become due. What was settled is on disk when this returns. Called now and
     * then without news.
     *
     * @return what is now in force differently; holds no {@code WrittenService}
     */
    List<Update> admit(List<Update> said);

    /**
     * Everything has been read at least once: what was settled in an earlier life and is not claimed any more goes.
     *
     * @param claimed whether a file has the object, or might have it and cannot be understood
     * @return as {@link #admit}
     */
    List<Update> retain(Predicate<ObjectKey> claimed);

    /**
     * What {@link #admit} would refuse, if this were said; nothing is done.
     *
     * @param places where an object is written
     */
    List<Problem> dryRun(List<Update> said, Function<ObjectKey, Optional<LocatedObject>> places);

    /** What {@link #admit} would put in force, if this were said; nothing is done. */
    default List<Update> wouldPut(List<Update> said) {
        return said;
    }

    /** Whether it made this object by itself, so that it can be deleted although no file says it. */
    default boolean made(ObjectKey key) {
        return false;
    }

    /**
     * What is said and not in force, and why.
     *
     * @param places where an object is written
     */
    List<Problem> problems(Function<ObjectKey, Optional<LocatedObject>> places);
}
