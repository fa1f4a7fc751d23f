package io.dualstackd.standalone.manifest;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
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
    /** The label that names the program which made a Service. */
    public static final String MANAGER_LABEL = "app.kubernetes.io/managed-by";

    /** Its value on Services of the daemon's own. */
    public static final String MANAGER = "dualstackd";

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

    /** Whether the next stage has told what an earlier run left in force. */
    private boolean begun;

    /** Whether the Service in force must go before that of a file is admitted. */
    private boolean withdrawing;

    /** The Service of a file, while it waits for that. */
    private List<Update> waiting = List.of();

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
        List<Update> ready = new ArrayList<>(updates);
        ready.removeIf(this::isNamesake);
        List<Update> latest = latest(updates);
        if (!begun && !latest.isEmpty()) {
            // What an earlier run left in force.
            changes.addAll(followed(next.admit(List.of())));
        }
        begun = true;
        for (Update update : latest) {
            switch (update) {
                case Update.Put claim -> {
                    waiting = List.of(claim);
                    withdrawing |= !claimed && isOwnInForce() && !isFitting(waiting);
                    claimed = true;
                    offered = false;
                }
                case Update.Gone gone -> {
                    ready.add(gone);
                    waiting = List.of();
                    withdrawing = false;
                    claimed = false;
                }
            }
        }
        if (withdrawing) {
            changes.addAll(withdrawn());
            // A ledger that cannot be written keeps it.
            withdrawing = inForce.isPresent();
        }
        ours &= !claimed || withdrawing;
        if (!withdrawing) {
            ready.addAll(waiting);
            waiting = List.of();
        }
        changes.addAll(followed(next.admit(ready)));
        return changes;
    }

    /** The last update of a Service of this name: of a file that is wrong at the start, its last good version comes first. */
    private List<Update> latest(List<Update> updates) {
        return updates.stream().filter(this::isNamesake).reduce((first, last) -> last).stream()
                .toList();
    }

    private boolean isNamesake(Update update) {
        return update.key().equals(own.key());
    }

    /** Whether the Service in force is the daemon's own: it has the label, or put in again, it would stay as it is. */
    private boolean isOwnInForce() {
        return inForce.filter(object ->
                        // Other settings may have given it other addresses in an earlier run.
                        next.recorded(own.key())
                                        .filter(BuiltInService::isMarked)
                                        .isPresent()
                                || next.wouldPut(List.of(new Update.Put(own))).contains(new Update.Put(object)))
                .isPresent();
    }

    private static boolean isMarked(Tree.Mapping service) {
        return service.entries().get("metadata") instanceof Tree.Mapping metadata
                && metadata.entries().get("labels") instanceof Tree.Mapping labels
                && labels.entries().get(MANAGER_LABEL) instanceof Tree.Scalar manager
                && manager.text().equals(MANAGER);
    }

    /** Whether the Service in force can become the given one: a cluster IP, for example, does not change. */
    private boolean isFitting(List<Update> others) {
        return next.dryRun(others, key -> Optional.empty()).stream()
                .noneMatch(problem -> problem.object().equals(own.key().toString()));
    }

    private List<Update> withdrawn() {
        return followed(next.admit(List.of(new Update.Gone(own.key()))));
    }

    @Override
    public List<Update> retain(Predicate<ObjectKey> inFile) {
        List<Update> changes = new ArrayList<>();
        List<Update> offer = List.of(new Update.Put(own));
        boolean kept = withdrawing;
        // One of a file that cannot be read now stays.
        if (!offered && !claimed && (!inFile.test(own.key()) || inForce.isEmpty() || isOwnInForce())) {
            if (!isFitting(offer)) {
                changes.addAll(withdrawn());
                kept = inForce.isPresent();
            }
            if (!kept) {
                offered = true;
                changes.addAll(followed(next.admit(offer)));
            }
        }
        ours = offered || kept;
        changes.addAll(followed(next.retain(key -> (ours && key.equals(own.key())) || inFile.test(key))));
        return changes;
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
    public Optional<Tree.Mapping> recorded(ObjectKey key) {
        return next.recorded(key);
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
