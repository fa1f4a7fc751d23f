package io.dualstackd.dataplane.diff;

import java.util.List;

/**
 * Steps the kernel takes all or none.
 *
 * @param ops in the order the kernel must see them: created before filled, filled before led to, left before deleted
 */
public record Transaction(List<Op> ops) {
    public static final Transaction NOTHING = new Transaction(List.of());

    public Transaction {
        ops = List.copyOf(ops);
    }

    public boolean isEmpty() {
        return ops.isEmpty();
    }

    public int size() {
        return ops.size();
    }
}
