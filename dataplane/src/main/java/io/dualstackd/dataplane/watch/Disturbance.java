package io.dualstackd.dataplane.watch;

import java.util.Set;

/** What one transaction of somebody else did to one family's rules of ours. */
public record Disturbance(Set<ForeignChange> changes, ChangeAuthor changeAuthor) {
    /** When it is not known what was changed, and by whom. */
    public static final Disturbance UNKNOWN =
            new Disturbance(Set.of(new ForeignChange.Anything()), ChangeAuthor.UNKNOWN);

    public Disturbance {
        changes = Set.copyOf(changes);
    }
}
