package io.dualstackd.agent.cluster;

import io.dualstackd.agent.api.ApiObject;
import io.dualstackd.agent.api.ObjectKey;
import io.dualstackd.agent.source.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which objects of one resource the store has, and in which version: what lists and watches tell becomes updates, only of what is
 * different. Holds no object; belongs to one thread.
 *
 * <p>While the first list is read, each object goes on at once, because nobody looks before it is complete. A later list is
 * compared and held until its end, and then goes on as one: nothing is removed before everything there is has been told.
 */
public final class Inventory {
    /** Of that many objects it is said what is wrong with them. */
    private static final int MOST_UNREADABLE = 100;

    private final ObjectKey.Kind kind;
    private final Map<ObjectKey, Entry> known = new HashMap<>();
    private final Map<ObjectKey, String> unreadable = new TreeMap<>();
    private Map<ObjectKey, Held> held = new HashMap<>();
    private List<Update> due = new ArrayList<>();
    private boolean complete;
    private boolean listing;
    private int list;

    public Inventory(ObjectKey.Kind kind) {
        this.kind = kind;
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
        unreadable.remove(key);
        Entry entry = known.get(key);
        if (entry != null) {
            entry.list = list;
            if (entry.version == version) {
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
        due.add(new Update.Put(object));
    }

    /** The object is no more; only watches say so. */
    public void gone(ObjectKey key) {
        unreadable.remove(key);
        held.remove(key);
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
                due.add(new Update.Gone(entry.getKey()));
            }
            return gone;
        });
        held.forEach((key, put) -> store(key, put.object(), put.version()));
        held = new HashMap<>();
        complete = true;
        listing = false;
    }

    /** What the store must be told now, in this order. */
    public List<Update> take() {
        if (due.isEmpty()) {
            return List.of();
        }
        List<Update> updates = due;
        due = new ArrayList<>();
        return updates;
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
