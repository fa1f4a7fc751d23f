package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.Optional;

/** What would become of an object if a file said it. */
public sealed interface DryRunResult {
    ObjectKey key();

    /**
     * It would be in force.
     *
     * @param before as it is now; empty when it is new
     * @param after as it would be, with numbers that another attempt may choose differently; empty when it would be gone
     */
    record Accepted(ObjectKey key, Optional<Entry> before, Optional<Entry> after) implements DryRunResult {
        public boolean isUnchanged() {
            return before.equals(after);
        }
    }

    /** It would not be in force; what is now stays. */
    record Refused(ObjectKey key, EntryRefusal entryRefusal) implements DryRunResult {}
}
