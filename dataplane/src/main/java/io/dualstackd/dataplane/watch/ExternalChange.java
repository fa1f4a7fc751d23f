package io.dualstackd.dataplane.watch;

import java.util.Set;

/** What one transaction of another program changed in dualstackd's rules of one family. */
public record ExternalChange(Set<ChangedObject> changes, ChangeAuthor changeAuthor) {
    /** For when neither the changed objects nor the author are known. */
    public static final ExternalChange UNKNOWN =
            new ExternalChange(Set.of(new ChangedObject.Anything()), ChangeAuthor.UNKNOWN);

    public ExternalChange {
        changes = Set.copyOf(changes);
    }
}
