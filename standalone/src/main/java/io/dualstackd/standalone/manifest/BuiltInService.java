package io.dualstackd.standalone.manifest;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Adds one Service of the daemon's own to those of the files. It goes through the next stage as they do, and is in force as long as no file
 * contains a Service of this name.
 */
public final class BuiltInService implements AdmissionStage {
    private final AdmissionStage next;
    private final ApiObject own;
    private final Place.InFile place;
    /** Whether a file has a Service of this name. */
    private volatile boolean claimed;

    /** Whether the next stage was given the Service. */
    private boolean offered;

    /**
     * @param own a {@code Service}, or a {@code WrittenService} for a stage that gives addresses
     * @param origin what the Service comes from, as the place in problems
     */
    public BuiltInService(AdmissionStage next, ApiObject own, String origin) {
        this.next = next;
        this.own = own;
        this.place = Place.InFile.whole(origin);
    }

    /** Whether the Service of this name is the daemon's own, as far as files have been read. May be called from any thread. */
    public boolean isOffered() {
        return !claimed;
    }

    @Override
    public List<Update> admit(List<Update> updates) {
        List<Update> inForce = new ArrayList<>();
        List<Update> claims = updates.stream()
                .filter(update -> update instanceof Update.Put && update.key().equals(own.key()))
                .toList();
        if (!claims.isEmpty()) {
            claimed = true;
            if (offered) {
                offered = false;
                inForce.addAll(withdrawUnlessFitting(claims));
            }
        }
        inForce.addAll(next.admit(updates));
        return inForce;
    }

    /** Removes the Service in force if it cannot become the given one, for example because a cluster IP does not change. */
    private List<Update> withdrawUnlessFitting(List<Update> others) {
        return next.dryRun(others, key -> Optional.empty()).isEmpty()
                ? List.of()
                : next.admit(List.of(new Update.Gone(own.key())));
    }

    @Override
    public List<Update> retain(Predicate<ObjectKey> inFile) {
        boolean free = !inFile.test(own.key());
        claimed = !free;
        List<Update> inForce = new ArrayList<>();
        if (!free) {
            offered = false;
        } else if (!offered) {
            offered = true;
            List<Update> offer = List.of(new Update.Put(own));
            inForce.addAll(withdrawUnlessFitting(offer));
            inForce.addAll(next.admit(offer));
        }
        inForce.addAll(next.retain(key -> (free && key.equals(own.key())) || inFile.test(key)));
        return inForce;
    }

    @Override
    public List<Problem> dryRun(List<Update> updates, Function<ObjectKey, Optional<LocatedObject>> places) {
        return next.dryRun(updates, places);
    }

    @Override
    public List<Update> wouldPut(List<Update> updates) {
        return next.wouldPut(updates);
    }

    /** False for the Service itself, which would be there again at once. */
    @Override
    public boolean isGenerated(ObjectKey key) {
        return next.isGenerated(key);
    }

    @Override
    public List<Problem> problems(Function<ObjectKey, Optional<LocatedObject>> places) {
        return next.problems(key -> places.apply(key)
                .or(() -> key.equals(own.key()) ? Optional.of(new LocatedObject(own, place)) : Optional.empty()));
    }
}
