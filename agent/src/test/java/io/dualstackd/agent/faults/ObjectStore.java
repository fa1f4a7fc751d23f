package io.dualstackd.agent.faults;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What an API server keeps: objects with versions, and what happened to them. It can be put back to an older state. Thread-safe. */
final class ObjectStore {
    private static final int LONGEST_LOG = 40_000;

    private final Map<ObjectKey, Versioned> objects = new TreeMap<>();
    private List<Event> log = new ArrayList<>();
    private long version = 1000;
    private long forgotten = 1000;
    private int restored;
    private Optional<ManifestMirror> mirror = Optional.empty();

    /** An object as of a version. */
    record Versioned(ApiObject object, long version) {}

    /** Something happened. */
    record Event(String type, ApiObject object, long version) {}

    /** All objects at one moment. */
    record Backup(Map<ObjectKey, Versioned> objects, long version) {
        Backup {
            objects = Map.copyOf(objects);
        }
    }

    /** A place in the log. After the state was put back, places from before mean nothing. */
    record Place(long version, int restored) {}

    /** @param upTo where to go on */
    record News(List<Event> events, Place upTo) {
        News {
            events = List.copyOf(events);
        }
    }

    /** From now on, what is put is also put there. */
    synchronized void mirror(ManifestMirror to) {
        mirror = Optional.of(to);
    }

    synchronized void put(ApiObject object) {
        version++;
        mirror.ifPresent(to -> to.put(object));
        Versioned before = objects.put(object.key(), new Versioned(object, version));
        add(new Event(before == null ? "ADDED" : "MODIFIED", object, version));
    }

    synchronized void delete(ObjectKey key) {
        Versioned before = objects.remove(key);
        if (before != null) {
            version++;
            mirror.ifPresent(to -> to.delete(key));
            add(new Event("DELETED", before.object(), version));
        }
    }

    private void add(Event event) {
        if (log.size() == LONGEST_LOG) {
            forgotten = log.get(LONGEST_LOG / 2 - 1).version();
            log = new ArrayList<>(log.subList(LONGEST_LOG / 2, LONGEST_LOG));
        }
        log.add(event);
        notifyAll();
    }

    synchronized Backup backup() {
        return new Backup(objects, version);
    }

    /** The state of the backup, its versions included; later changes get numbers again that were given before. */
    synchronized void restore(Backup backup) {
        objects.clear();
        objects.putAll(backup.objects());
        version = backup.version();
        forgotten = version;
        log = new ArrayList<>();
        restored++;
        notifyAll();
    }

    /** Forgets all events so far, as etcd does when it is compacted: no watch can resume at an older version. */
    synchronized void compact() {
        log = new ArrayList<>();
        forgotten = ++version;
        notifyAll();
    }

    synchronized Place now() {
        return new Place(version, restored);
    }

    synchronized boolean knows(Place place) {
        return place.restored() == restored && place.version() >= forgotten && place.version() <= version;
    }

    synchronized Place at(long asked) {
        return new Place(asked, restored);
    }

    synchronized List<Versioned> all(ObjectKey.Kind kind) {
        return objects.values().stream()
                .filter(versioned -> versioned.object().key().kind() == kind)
                .toList();
    }

    /** What happened after a place; waits a while for something to happen. Empty when that place is forgotten. */
    synchronized Optional<News> since(Place place, ObjectKey.Kind kind, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        for (long left = millis; left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            if (!knows(place) || !find(place.version(), kind).isEmpty()) {
                break;
            }
            wait(left);
        }
        return knows(place) ? Optional.of(new News(find(place.version(), kind), now())) : Optional.empty();
    }

    private List<Event> find(long since, ObjectKey.Kind kind) {
        List<Event> found = new ArrayList<>();
        for (int at = log.size() - 1; at >= 0 && log.get(at).version() > since; at--) {
            if (log.get(at).object().key().kind() == kind) {
                found.add(log.get(at));
            }
        }
        return found.reversed();
    }
}
