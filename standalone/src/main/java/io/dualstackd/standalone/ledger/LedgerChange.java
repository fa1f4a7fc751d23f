package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;

/** A step from one state of the ledger to the next. Steps that belong together are written as one. */
public sealed interface LedgerChange {
    ObjectKey key();

    /** The entry is new, or takes the place of the one with its key. */
    record Put(Entry entry) implements LedgerChange {
        @Override
        public ObjectKey key() {
            return entry.key();
        }
    }

    /** The entry is no more. */
    record Gone(ObjectKey key) implements LedgerChange {}
}
