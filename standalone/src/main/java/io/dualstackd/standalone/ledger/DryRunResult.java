package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.Optional;

/** The result for an object if a file contained it. */
public sealed interface DryRunResult {
    ObjectKey key();

    /**
     * It would be in force.
     *
     * @param before the present entry; empty when it is new
     * @param after the entry as it would be, with numbers that another attempt may choose differently; empty when it would be removed
     */
    record Accepted(ObjectKey key, Optional<Entry> before, Optional<Entry> after) implements DryRunResult {}

    /** It would not be in force; the present entry stays. */
    record Refused(ObjectKey key, EntryRefusal entryRefusal) implements DryRunResult {}
}
