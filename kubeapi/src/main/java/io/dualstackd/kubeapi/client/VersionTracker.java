package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Which objects of one resource the store has, and in which version: what lists and watches tell becomes updates, only of what is
 * different. Holds no object that the store has taken; belongs to one thread.
 *
 * <p>While the first list is read, each object goes on at once, because nobody looks before it is complete. A later list is
 * compared and held until its end, and then goes on as one: nothing is removed before everything there is has been told.
 *
 * <p>An equal version says that nothing has changed only as long as the server counts on: one whose data was put back gives versions a second
 * time. So the store is asked, too, whether it has the object just so.
 */
public final class VersionTracker {
    /** Of that many objects it is said what is wrong with them. */
    private static final int MOST_UNREADABLE = 100;

    private final ObjectKey.Kind kind;
    private final Predicate<ApiObject> stored;
    private final Map<ObjectKey, Entry> known = new HashMap<>();
    private final Map<ObjectKey, String> unreadable = new TreeMap<>();
    private Map<ObjectKey, Held> held = new HashMap<>();
    private List<Update> due = new ArrayList<>();
    /** What the store could not take, and is offered again later. */
    private final Map<ObjectKey, Update> refused = new LinkedHashMap<>();

    private boolean complete;
    private boolean listing;
    private int list;

    /** @param stored whether the store has an object just so */
    public VersionTracker(ObjectKey.Kind kind, Predicate<ApiObject> stored) {
        this.kind = kind;
        this.stored = stored;
    }

    private static final class Entry {
        private long version;
        private int list;

        private Entry(long version, int list) {
            this.version = version;
            this.list = list;
        }
    }

    private record Held(ApiObject object, long version) {}

    /** A list begins (again): what an unfinished one before held is forgotten. */
    public void beginList() {
        list++;
        listing = true;
        held.clear();
    }

    /** The object is so. */
    public void put(ApiObject object, String resourceVersion) {
        ObjectKey key = object.key();
        long version = version(resourceVersion);
        Entry entry = known.get(key);
        if (entry != null) {
            entry.list = list;
            if (refused.containsKey(key) && entry.version == version) {
                return;
            }
        }
        unreadable.remove(key);
        if (entry != null) {
            if (entry.version == version && stored.test(object)) {
                held.remove(key);
                return;
            }
        }
        if (listing && complete) {
            held.put(key, new Held(object, version));
        } else {
            store(key, object, version);
        }
    }

    private void store(ObjectKey key, ApiObject object, long version) {
        Entry entry = known.get(key);
        if (entry == null) {
            known.put(key, new Entry(version, list));
        } else {
            entry.version = version;
            entry.list = list;
        }
        refused.remove(key);
        due.add(new Update.Put(object));
    }

    /** The object is no more; only watches say so. */
    public void gone(ObjectKey key) {
        unreadable.remove(key);
        held.remove(key);
        refused.remove(key);
        if (known.remove(key) != null) {
            due.add(new Update.Gone(key));
        }
    }

    /**
     * The object is there and cannot be used. Its previous version stays in force.
     *
     * @return false when that is known already
     */
    public boolean unreadable(ObjectKey key, String why) {
        Entry entry = known.get(key);
        if (entry != null) {
            entry.list = list;
            // When it is put right by going back, it shall not count as unchanged.
            entry.version = -1;
        }
        held.remove(key);
        if (unreadable.size() >= MOST_UNREADABLE && !unreadable.containsKey(key)) {
            return false;
        }
        return !why.equals(unreadable.put(key, why));
    }

    /** The list is complete: what it did not tell is gone. */
    public void endList() {
        known.entrySet().removeIf(entry -> {
            boolean gone = entry.getValue().list != list;
            if (gone) {
                unreadable.remove(entry.getKey());
                refused.remove(entry.getKey());
                due.add(new Update.Gone(entry.getKey()));
            }
            return gone;
        });
        held.forEach((key, put) -> store(key, put.object(), put.version()));
        held = new HashMap<>();
        complete = true;
        listing = false;
    }

    /** What the store must be told now, in this order; it stays due until it is {@link #taken}. */
    public List<Update> due() {
        return Collections.unmodifiableList(due);
    }

    /** The store has what was due. */
    public void taken() {
        if (!due.isEmpty()) {
            due = new ArrayList<>();
        }
    }

    /**
     * The store has what was due, but for this.
     *
     * @return false when that is known already
     */
    public boolean refused(Update update, String why) {
        refused.put(update.key(), update);
        return !why.equals(unreadable.put(update.key(), why));
    }

    /** What the store could not take is due again; false when there is nothing. */
    public boolean tryAgain() {
        due.addAll(refused.values());
        boolean any = !refused.isEmpty();
        refused.clear();
        return any;
    }

    /** It was taken after all. */
    public void taken(Update update) {
        unreadable.remove(update.key());
    }

    /** How many objects there are. */
    public int size() {
        return known.size();
    }

    public ObjectKey.Kind kind() {
        return kind;
    }

    /** Objects that cannot be used, and why; at most 100. */
    public Map<ObjectKey, String> unreadable() {
        return Map.copyOf(unreadable);
    }

    /** Versions are numbers with every server there is; of something else the hash is as good. 0 and more. */
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
