package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;

/** A change of an entry of the ledger. Changes that belong together are written as one batch. */
public sealed interface LedgerChange {
    ObjectKey key();

    /** The entry is new, or replaces the one with the same key. */
    record Put(Entry entry) implements LedgerChange {
        @Override
        public ObjectKey key() {
            return entry.key();
        }
    }

    /** The entry was removed. */
    record Gone(ObjectKey key) implements LedgerChange {}
}
