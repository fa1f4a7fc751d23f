package io.dualstackd.agent.source;

import io.dualstackd.agent.api.Decoded;
import io.dualstackd.agent.api.Manifests;
import io.dualstackd.agent.api.ObjectKey;
import io.dualstackd.agent.api.Placed;
import io.dualstackd.agent.tree.Place;
import io.dualstackd.agent.tree.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which file claims which object, and which claim is in force.
 *
 * <p>Not thread-safe: it belongs to the one thread that reads the files. A changed file costs what the file holds, whatever the
 * number of other files.
 */
public final class Claims {
    /** What a file says now, with those objects of its earlier versions that stay in force because their new text is refused. */
    private record Content(Map<ObjectKey, Placed> objects, List<Problem> problems) {}

    private static final Content NOTHING = new Content(Map.of(), List.of());

    private final SortedMap<String, Content> files = new TreeMap<>();
    private final Map<ObjectKey, SortedMap<String, Placed>> claims = new HashMap<>();
    private final SortedSet<ObjectKey> contested = new TreeSet<>();
    private final Collisions collisions = new Collisions();

    /**
     * A file was read.
     *
     * <p>An object that the new text gets wrong keeps its last good state. When something was refused of which not even the name
     * could be read, every object missing from the new text might be meant, so all of them stay.
     *
     * @return what is now different, at most one entry for each object
     */
    public List<Update> put(String file, Decoded decoded) {
        Content before = files.getOrDefault(file, NOTHING);
        Map<ObjectKey, Placed> objects = new LinkedHashMap<>();
        decoded.objects().forEach(o -> objects.put(o.object().key(), o));
        before.objects.forEach((key, placed) -> {
            if (decoded.anonymousRefusals() || decoded.refused().contains(key)) {
                objects.putIfAbsent(key, placed);
            }
        });
        return replace(file, before, new Content(objects, decoded.problems()));
    }

    /** The file is no more, and with it the objects it claimed. */
    public List<Update> remove(String file) {
        List<Update> updates = replace(file, files.getOrDefault(file, NOTHING), NOTHING);
        files.remove(file);
        return updates;
    }

    private List<Update> replace(String file, Content before, Content after) {
        Set<ObjectKey> touched = new HashSet<>(before.objects.keySet());
        touched.addAll(after.objects.keySet());
        files.put(file, after);
        List<Update> updates = new ArrayList<>();
        for (ObjectKey key : touched.stream().sorted().toList()) {
            SortedMap<String, Placed> claimants = claims.computeIfAbsent(key, k -> new TreeMap<>());
            Placed old = claimants.isEmpty() ? null : claimants.firstEntry().getValue();
            Placed claim = after.objects.get(key);
            if (claim == null) {
                claimants.remove(file);
            } else {
                claimants.put(file, claim);
            }
            if (claimants.size() > 1) {
                contested.add(key);
            } else {
                contested.remove(key);
            }
            if (claimants.isEmpty()) {
                claims.remove(key);
                collisions.remove(key);
                updates.add(new Update.Gone(key));
            } else {
                Placed now = claimants.firstEntry().getValue();
                collisions.put(now);
                if (old == null || !old.object().equals(now.object())) {
                    updates.add(new Update.Put(now.object()));
                }
            }
        }
        return List.copyOf(updates);
    }

    /** Everything that is wrong now: first what is wrong within files, then what more than one of them claims. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        files.values().forEach(content -> problems.addAll(content.problems));
        for (ObjectKey key : contested) {
            List<Placed> claimants =
                    List.copyOf(claims.getOrDefault(key, new TreeMap<>()).values());
            Place first = claimants.getFirst().place();
            for (Placed loser : claimants.subList(1, claimants.size())) {
                problems.add(new Problem(
                        Problem.Severity.ERROR, loser.place(), key.toString(), "", Manifests.duplicate(key, first)));
            }
        }
        problems.addAll(collisions.problems());
        return List.copyOf(problems);
    }
}
