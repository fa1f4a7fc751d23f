package io.dualstackd.agent.source;

import io.dualstackd.agent.tree.Problem;
import java.util.List;

/**
 * What stands between what files say and what is in force: where there is no control plane, somebody has to give Services their addresses.
 *
 * <p>Used by one thread, the one that reads the files.
 */
public interface Settling {
    /** Everything is in force as it is said. */
    Settling NONE = new Settling() {
        @Override
        public List<Update> settle(List<Update> said) {
            return said;
        }

        @Override
        public List<Problem> problems() {
            return List.of();
        }
    };

    /**
     * News of what files say. What was settled is on disk when this returns.
     *
     * @return what is now in force differently; holds no {@code WrittenService}
     */
    List<Update> settle(List<Update> said);

    /** What is said and not in force, and why. */
    List<Problem> problems();
}
