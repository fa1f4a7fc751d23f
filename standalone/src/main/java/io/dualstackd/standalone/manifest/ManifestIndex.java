package io.dualstackd.standalone.manifest;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which file claims which object, and which claim is in force: the first one, for as long as the file makes it. Among files that are read
 * at the start it is the claim recorded by an earlier run of the daemon, or else the one that is read first.
 *
 * <p>Not thread-safe but for {@link #find}: used only by the thread that reads the files. The cost of a changed file depends on the size of that file, not on the
 * number of other files.
 */
public final class ManifestIndex {
    /**
     * The current content of a file, with the objects of its earlier versions that stay in force because their new text is refused.
     *
     * @param decoded the decoded text
     */
    private record Content(List<LocatedObject> objects, Decoded decoded) {
        List<Problem> problems() {
            return decoded.problems();
        }
    }

    private static final Content NOTHING = new Content(List.of(), Decoded.NOTHING);

    private final SortedMap<String, Content> files = new TreeMap<>();
    /** Read by other threads, too. */
    private final Map<ObjectKey, LocatedObject> inForce = new ConcurrentHashMap<>();
    /** All claims to objects that more than one file claims, by file. */
    private final SortedMap<ObjectKey, SortedMap<String, LocatedObject>> contested = new TreeMap<>();

    private final Map<String, String> remembered;
    private boolean started;

    /** @param remembered files by object, both as text: the result of {@link #toRemember} in an earlier run */
    public ManifestIndex(Map<String, String> remembered) {
        this.remembered = new HashMap<>(remembered);
    }

    /** Every file has been read once: from now on, a later claim ranks behind an earlier one. */
    public void started() {
        started = true;
        remembered.clear();
    }

    /** The files whose claims are in force, by objects that several files claim. */
    public SortedMap<String, String> toRemember() {
        SortedMap<String, String> holders = new TreeMap<>();
        contested
                .keySet()
                .forEach(key -> find(key)
                        .ifPresent(claim ->
                                holders.put(key.toString(), claim.place().file())));
        return holders;
    }

    /**
     * Applies a file that was read.
     *
     * <p>An object that is invalid in the new text keeps its last good state. When something was refused whose name could not be read, it
     * might be any object missing from the new text, so all of those stay.
     *
     * @return what has changed, at most one entry for each object
     */
    public List<Update> put(String file, Decoded decoded) {
        Content before = files.getOrDefault(file, NOTHING);
        List<LocatedObject> objects = new ArrayList<>(decoded.objects());
        Map<ObjectKey, LocatedObject> current = byKey(objects);
        for (LocatedObject earlier : before.objects) {
            ObjectKey key = earlier.object().key();
            boolean meant = decoded.anonymousRefusals() || decoded.refused().contains(key);
            if (meant && !current.containsKey(key)) {
                objects.add(earlier);
            }
        }
        return replace(file, before, new Content(List.copyOf(objects), decoded));
    }

    /** The objects that a file claims, those included that it keeps from earlier versions. */
    public Set<ObjectKey> claims(String file) {
        return byKey(files.getOrDefault(file, NOTHING).objects).keySet();
    }

    /** The state of a file as it was read. */
    public sealed interface Version {}

    /** @param held objects that several files claim and for which the claim of this file is in force */
    private record Known(Content content, List<LocatedObject> held) implements Version {}

    /** The current state of a file, for {@link #restore}. */
    public Version version(String file) {
        Content content = files.getOrDefault(file, NOTHING);
        return new Known(
                content,
                content.objects.stream()
                        .filter(locatedObject ->
                                contested.containsKey(locatedObject.object().key()))
                        .filter(locatedObject ->
                                holds(file, locatedObject.object().key()))
                        .toList());
    }

    private boolean holds(String file, ObjectKey key) {
        return find(key).filter(claim -> claim.place().file().equals(file)).isPresent();
    }

    /** Restores the state of a file to an earlier version. */
    public void restore(String file, Version version) {
        Content content = switch (version) {
            case Known known -> known.content;
        };
        replace(file, files.getOrDefault(file, NOTHING), content);
        switch (version) {
            case Known known ->
                known.held.forEach(
                        locatedObject -> inForce.put(locatedObject.object().key(), locatedObject));
        }
        if (content.equals(NOTHING)) {
            files.remove(file);
        }
    }

    /** Removes a file and with it the objects it claimed. */
    public List<Update> remove(String file) {
        List<Update> updates = replace(file, files.getOrDefault(file, NOTHING), NOTHING);
        files.remove(file);
        return updates;
    }

    /**
     * Gives the objects of a file to another name of it, which is not known yet. Nothing changes in force; what is wrong in the text is found
     * when it is read under the new name.
     */
    public void rename(String from, String to) {
        List<LocatedObject> moved = new ArrayList<>();
        for (LocatedObject locatedObject : files.getOrDefault(from, NOTHING).objects) {
            ObjectKey key = locatedObject.object().key();
            Place.InFile place = locatedObject.place();
            LocatedObject claim = new LocatedObject(
                    locatedObject.object(), new Place.InFile(to, place.document(), place.line(), place.field()));
            moved.add(claim);
            if (holds(from, key)) {
                inForce.put(key, claim);
            }
            SortedMap<String, LocatedObject> all = contested.get(key);
            if (all != null) {
                all.remove(from);
                all.put(to, claim);
            }
        }
        files.remove(from);
        files.put(to, new Content(List.copyOf(moved), Decoded.NOTHING));
    }

    private static Map<ObjectKey, LocatedObject> byKey(List<LocatedObject> objects) {
        Map<ObjectKey, LocatedObject> byKey = HashMap.newHashMap(objects.size());
        objects.forEach(locatedObject -> byKey.put(locatedObject.object().key(), locatedObject));
        return byKey;
    }

    private List<Update> replace(String file, Content before, Content after) {
        Map<ObjectKey, LocatedObject> claims = byKey(after.objects);
        Set<ObjectKey> touched = new HashSet<>(claims.keySet());
        before.objects.forEach(
                locatedObject -> touched.add(locatedObject.object().key()));
        files.put(file, after);
        List<Update> updates = new ArrayList<>();
        for (ObjectKey key : touched.stream().sorted().toList()) {
            LocatedObject old = inForce.get(key);
            LocatedObject now = winner(key, old, file, claims.get(key));
            if (now == null) {
                inForce.remove(key);
                updates.add(new Update.Gone(key));
            } else {
                inForce.put(key, now);
                if (old == null || !old.object().equals(now.object())) {
                    updates.add(new Update.Put(now.object()));
                }
            }
        }
        return List.copyOf(updates);
    }

    /** The claim that is in force now that {@code file} makes {@code claim}, or none when it is null; usually no other file claims the name. */
    private @Nullable LocatedObject winner(
            ObjectKey key, @Nullable LocatedObject old, String file, @Nullable LocatedObject claim) {
        SortedMap<String, LocatedObject> all = contested.remove(key);
        if (all == null) {
            if (old == null || old.place().file().equals(file)) {
                return claim;
            }
            all = new TreeMap<>();
            all.put(old.place().file(), old);
        }
        if (claim == null) {
            all.remove(file);
        } else {
            all.put(file, claim);
        }
        if (all.size() > 1) {
            contested.put(key, all);
        }
        if (all.isEmpty()) {
            return null;
        }
        String holder = started ? null : remembered.get(key.toString());
        if (holder == null || !all.containsKey(holder)) {
            holder = old == null ? "" : old.place().file();
        }
        return all.getOrDefault(holder, all.firstEntry().getValue());
    }

    /** The claim that is in force. May be called from any thread. */
    public Optional<LocatedObject> find(ObjectKey key) {
        return Optional.ofNullable(inForce.get(key));
    }

    /** The files that contain the object, the one in force first; those whose text of it is refused last. */
    public List<String> holders(ObjectKey key) {
        Set<String> holders = new LinkedHashSet<>();
        find(key).ifPresent(claim -> holders.add(claim.place().file()));
        holders.addAll(contested.getOrDefault(key, new TreeMap<>()).keySet());
        files.forEach((file, content) -> {
            if (content.decoded.refused().contains(key)) {
                holders.add(file);
            }
        });
        return List.copyOf(holders);
    }

    /** Whether a file has the object, or may have it in a text that is refused. */
    public boolean mayHave(ObjectKey key) {
        return inForce.containsKey(key)
                || files.values().stream()
                        .anyMatch(file -> file.decoded.anonymousRefusals()
                                || file.decoded.refused().contains(key));
    }

    /** All current problems: first those within files, then claims of several files to the same object. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        files.values().forEach(content -> problems.addAll(content.problems()));
        contested.forEach((key, claimants) -> {
            LocatedObject holder =
                    find(key).orElseGet(() -> claimants.firstEntry().getValue());
            Place first = holder.place();
            claimants.values().stream()
                    .filter(claim -> !claim.place().file().equals(holder.place().file()))
                    .forEach(loser -> problems.add(new Problem(
                            Problem.Severity.ERROR,
                            loser.place(),
                            key.toString(),
                            "",
                            Manifests.duplicate(key, first))));
        });
        return List.copyOf(problems);
    }
}
