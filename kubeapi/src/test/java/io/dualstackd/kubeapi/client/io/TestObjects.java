package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The store of an API server: objects with versions, and their events as far as they are not compacted. Thread-safe. */
final class TestObjects {
    private final Map<ObjectKey, Versioned> objects = new TreeMap<>();
    private final List<Event> log = new ArrayList<>();
    private long version = 1000;
    private long forgotten = 1000;

    /** An object as of a version. */
    record Versioned(ApiObject object, long version) {}

    /** Something happened. */
    record Event(String type, ApiObject object, long version) {}

    synchronized void put(ApiObject object) {
        version++;
        Versioned before = objects.put(object.key(), new Versioned(object, version));
        log.add(new Event(before == null ? "ADDED" : "MODIFIED", object, version));
        notifyAll();
    }

    synchronized void delete(ObjectKey key) {
        Versioned before = objects.remove(key);
        if (before != null) {
            version++;
            log.add(new Event("DELETED", before.object(), version));
            notifyAll();
        }
    }

    synchronized long version() {
        return version;
    }

    /** Forgets all events so far, as etcd does when it is compacted: no watch can resume at an older version. */
    synchronized void compact() {
        log.clear();
        forgotten = ++version;
        notifyAll();
    }

    /** The data are put back to this version, with other objects than there were at it; watches get no event. */
    synchronized void restore(long to, List<ApiObject> all) {
        objects.clear();
        log.clear();
        forgotten = Math.min(forgotten, to);
        version = to;
        // As many as there are have the versions before.
        long each = to - all.size();
        for (ApiObject object : all) {
            objects.put(object.key(), new Versioned(object, ++each));
        }
    }

    /** Replaces the object by another one with the same version, without an event. */
    synchronized void replace(ApiObject object) {
        objects.computeIfPresent(object.key(), (key, before) -> new Versioned(object, before.version()));
    }

    synchronized boolean knows(long since) {
        return since >= forgotten;
    }

    synchronized List<Versioned> all(ObjectKey.Kind kind) {
        return objects.values().stream()
                .filter(versioned -> versioned.object().key().kind() == kind)
                .toList();
    }

    /** What happened after this version; waits a while for something to happen. */
    synchronized List<Event> since(long since, ObjectKey.Kind kind, long millis) throws InterruptedException {
        List<Event> found = find(since, kind);
        long end = System.nanoTime() + millis * 1_000_000;
        while (found.isEmpty() && System.nanoTime() < end) {
            wait(millis);
            found = find(since, kind);
        }
        return found;
    }

    /** Wakes all waiting threads. */
    synchronized void wake() {
        notifyAll();
    }

    private List<Event> find(long since, ObjectKey.Kind kind) {
        List<Event> found = new ArrayList<>();
        for (int at = log.size() - 1; at >= 0 && log.get(at).version() > since; at--) {
            if (log.get(at).object().key().kind() == kind) {
                found.addFirst(log.get(at));
            }
        }
        return found;
    }
}
