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
 * contains a Service of this name. A text that cannot be read, and may contain one, does not withdraw it.
 */
public final class BuiltInService implements AdmissionStage {
    private final AdmissionStage next;
    private final ApiObject own;
    private final Place.InFile place;
    /** Whether the Service of this name is the daemon's own; true until files have been read. */
    private volatile boolean ours = true;

    /** Whether a file that can be read has a Service of this name. */
    private boolean claimed;

    /** Whether the next stage was given the Service. */
    private boolean offered;

    /** What is in force under the name. */
    private Optional<ApiObject> inForce = Optional.empty();

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
        return ours;
    }

    @Override
    public List<Update> admit(List<Update> updates) {
        List<Update> changes = new ArrayList<>();
        List<Update> claims = updates.stream()
                .filter(update -> update instanceof Update.Put && update.key().equals(own.key()))
                .toList();
        if (!claims.isEmpty()) {
            claimed = true;
            ours = false;
            if (offered) {
                offered = false;
                changes.addAll(withdrawUnlessFitting(claims));
            }
        } else if (updates.contains(new Update.Gone(own.key()))) {
            claimed = false;
        }
        changes.addAll(next.admit(updates));
        return followed(changes);
    }

    /** Removes the Service in force if it cannot become the given one, for example because a cluster IP does not change. */
    private List<Update> withdrawUnlessFitting(List<Update> others) {
        return next.dryRun(others, key -> Optional.empty()).isEmpty()
                ? List.of()
                : next.admit(List.of(new Update.Gone(own.key())));
    }

    @Override
    public List<Update> retain(Predicate<ObjectKey> inFile) {
        List<Update> changes = new ArrayList<>();
        List<Update> offer = List.of(new Update.Put(own));
        if (!offered && !claimed && (!inFile.test(own.key()) || isFree(offer))) {
            offered = true;
            changes.addAll(withdrawUnlessFitting(offer));
            changes.addAll(next.admit(offer));
        }
        ours = offered;
        changes.addAll(next.retain(key -> (offered && key.equals(own.key())) || inFile.test(key)));
        return followed(changes);
    }

    /** Whether nothing has the name, or the Service of an earlier run does: another one is from a file that cannot be read now. */
    private boolean isFree(List<Update> offer) {
        return inForce.isEmpty() || next.wouldPut(offer).contains(new Update.Put(inForce.get()));
    }

    private List<Update> followed(List<Update> changes) {
        for (Update update : changes) {
            if (update.key().equals(own.key())) {
                inForce = switch (update) {
                    case Update.Put(ApiObject object) -> Optional.of(object);
                    case Update.Gone ignored -> Optional.empty();
                };
            }
        }
        return changes;
    }

    @Override
    public List<Problem> dryRun(List<Update> updates, Function<ObjectKey, Optional<LocatedObject>> places) {
        return next.dryRun(updates, places);
    }

    @Override
    public List<Update> wouldPut(List<Update> updates) {
        return next.wouldPut(updates);
    }

    @Override
    public boolean isReady() {
        return next.isReady();
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
