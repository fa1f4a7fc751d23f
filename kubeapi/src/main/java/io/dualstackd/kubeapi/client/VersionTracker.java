package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.NameIndex;
import io.dualstackd.kubeapi.store.Update;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The objects of one resource in the store, with their versions: turns what lists and watches deliver into updates of what has changed.
 * Keeps no object that the store has taken; used by one thread.
 *
 * <p>While the first list is read, each object is passed on at once, because no consumer reads before it is complete. A later list is
 * compared and held until its end, and then passed on as a whole: nothing is removed before all existing objects are known.
 *
 * <p>An equal version means "unchanged" only while the server's versions increase: a server whose data was restored assigns versions a
 * second time. So the store is checked as well for an equal object.
 */
public final class VersionTracker {
    /** Maximum number of objects for which the reason is kept. */
    private static final int MOST_UNREADABLE = 100;

    private final ObjectKey.Kind kind;
    private final Predicate<ApiObject> stored;
    private final NameIndex known = new NameIndex();
    /** The version of each known object, by its number. */
    private long[] versions = new long[0];
    /** Whether the current list has the object. */
    private boolean[] listed = new boolean[0];

    private final Map<ObjectKey, String> unreadable = new TreeMap<>();
    /** Whether there were more of them since the last list began. */
    private boolean moreUnreadable;

    /** Those of them that the list has that is being received; empty while none is. */
    private final Set<ObjectKey> unreadableListed = new HashSet<>();

    private Map<ObjectKey, Held> held = new HashMap<>();
    private List<Update> due = new ArrayList<>();
    /** Updates that the store could not take, offered again later. */
    private final Map<ObjectKey, Update> refused = new LinkedHashMap<>();

    private boolean complete;
    private boolean listing;

    /**
     * A tracker that knows no object.
     *
     * @param kind of all objects
     * @param stored whether the store has an equal object
     */
    public VersionTracker(ObjectKey.Kind kind, Predicate<ApiObject> stored) {
        this.kind = kind;
        this.stored = stored;
    }

    private record Held(ApiObject object, long version) {}

    /** A list begins (again): the contents of an unfinished one are dropped. */
    public void beginList() {
        Arrays.fill(listed, false);
        unreadableListed.clear();
        moreUnreadable = false;
        listing = true;
        held.clear();
    }

    /** The object is new or changed. */
    public void put(ApiObject object, String resourceVersion) {
        put(object, version(resourceVersion));
    }

    /** The object is new or changed; its version is one of {@link #visit}. */
    public void put(ApiObject object, long version) {
        ObjectKey key = object.key();
        int number = number(key);
        boolean same = number >= 0 && versions[number] == version;
        if (number >= 0) {
            listed[number] = true;
        }
        Update before = refused.get(key);
        if (same && before != null && before.equals(new Update.Put(object))) {
            return;
        }
        unreadable.remove(key);
        if (same && stored.test(object)) {
            held.remove(key);
            refused.remove(key);
            return;
        }
        if (listing && complete) {
            held.put(key, new Held(object, version));
        } else {
            store(key, number, object, version);
        }
    }

    /** @param before number of the object; negative for one that is new */
    private void store(ObjectKey key, int before, ApiObject object, long version) {
        int number = before >= 0 ? before : known.add(key.namespace(), key.name());
        if (number >= versions.length) {
            versions = Arrays.copyOf(versions, NameIndex.roomFor(number));
            listed = Arrays.copyOf(listed, NameIndex.roomFor(number));
        }
        versions[number] = version;
        listed[number] = true;
        refused.remove(key);
        unreadable.remove(key);
        due.add(new Update.Put(object));
    }

    /** The number of a known object; negative for others. */
    private int number(ObjectKey key) {
        return known.find(key.namespace(), key.name());
    }

    /** The object was deleted; called for watches, and for lists that are streamed. */
    public void gone(ObjectKey key) {
        unreadable.remove(key);
        held.remove(key);
        refused.remove(key);
        int number = number(key);
        if (number >= 0 && listing && complete) {
            // Another one of its name may follow, which is held until the end.
            listed[number] = false;
        } else if (number >= 0) {
            known.remove(number);
            due.add(new Update.Gone(key));
        }
    }

    /**
     * The object exists and cannot be used. Its previous version stays in force.
     *
     * @return false if that is already known
     */
    public boolean unreadable(ObjectKey key, String why) {
        int number = number(key);
        if (number >= 0) {
            listed[number] = true;
            // When the object is reverted to its previous version, it must not count as unchanged.
            versions[number] = -1;
        }
        held.remove(key);
        if (unreadable.size() >= MOST_UNREADABLE && !unreadable.containsKey(key)) {
            moreUnreadable = true;
            return false;
        }
        if (listing) {
            unreadableListed.add(key);
        }
        return !why.equals(unreadable.put(key, why));
    }

    /** The list is complete: objects that were not in it are gone. */
    public void endList() {
        for (int number = 0; number < known.limit(); number++) {
            if (known.isUsed(number) && !listed[number]) {
                ObjectKey key = new ObjectKey(kind, known.namespace(number), known.name(number));
                known.remove(number);
                unreadable.remove(key);
                refused.remove(key);
                due.add(new Update.Gone(key));
            }
        }
        unreadable
                .keySet()
                .removeIf(key -> number(key) < 0 && !unreadableListed.contains(key) && !refused.containsKey(key));
        unreadableListed.clear();
        held.forEach((key, put) -> store(key, number(key), put.object(), put.version()));
        held = new HashMap<>();
        complete = true;
        listing = false;
    }

    /** The updates that the store must receive now, in this order; they stay due until {@link #taken}. */
    public List<Update> due() {
        return Collections.unmodifiableList(due);
    }

    /** The store has taken all updates that were due. */
    public void taken() {
        if (!due.isEmpty()) {
            due = new ArrayList<>();
        }
    }

    /**
     * The store has taken all updates that were due, except this one.
     *
     * @return false if that is already known
     */
    public boolean refused(Update update, String why) {
        refused.put(update.key(), update);
        return !why.equals(unreadable.put(update.key(), why));
    }

    /** Makes the updates that the store could not take due again; false if there are none. */
    public boolean tryAgain() {
        due.addAll(refused.values());
        boolean any = !refused.isEmpty();
        refused.clear();
        return any;
    }

    /** The store has taken the update, so one of the same object that it did not take before is outdated. */
    public void taken(Update update) {
        unreadable.remove(update.key());
        refused.remove(update.key());
    }

    /** Whether the store has every object, in the version that the server delivered last. */
    public boolean isStored() {
        return complete && !listing && due.isEmpty() && refused.isEmpty() && unreadable.isEmpty() && !moreUnreadable;
    }

    /** Receives the objects. */
    public interface Visitor {
        void object(ObjectKey key, long version) throws IOException;
    }

    /** Passes the key and the version of each object. */
    public void visit(Visitor to) throws IOException {
        for (int number = 0; number < known.limit(); number++) {
            if (known.isUsed(number)) {
                to.object(new ObjectKey(kind, known.namespace(number), known.name(number)), versions[number]);
            }
        }
    }

    /** The number of objects. */
    public int size() {
        return known.size();
    }

    /** Objects that cannot be used, with the reason, in order; at most 100. */
    public List<String> unreadable() {
        return unreadable.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .sorted()
                .toList();
    }

    /** Converts a version, 0 or more. Versions are numbers on all known servers; for other texts the hash is good enough. */
    static long version(String text) {
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            number = digit >= 0 && digit <= 9 && text.length() <= 18
                    ? number * 10 + digit
                    : number * 1_000_003 + text.charAt(i);
        }
        return number & Long.MAX_VALUE;
    }
}
