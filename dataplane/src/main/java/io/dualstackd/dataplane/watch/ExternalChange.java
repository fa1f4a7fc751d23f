package io.dualstackd.dataplane.watch;

import java.util.Set;

/** What one transaction of somebody else did to one family's rules of ours. */
public record ExternalChange(Set<ChangedObject> changes, ChangeAuthor changeAuthor) {
    /** When it is not known what was changed, and by whom. */
    public static final ExternalChange UNKNOWN =
            new ExternalChange(Set.of(new ChangedObject.Anything()), ChangeAuthor.UNKNOWN);

    public ExternalChange {
        changes = Set.copyOf(changes);
    }
}
