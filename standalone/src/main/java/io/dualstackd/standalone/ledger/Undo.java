package io.dualstackd.standalone.ledger;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How to take back what was done since a moment. Everything a ledger changes goes through here, or says here how it is taken back. */
final class Undo {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /** A moment to go back to. */
    int mark() {
        return steps.size();
    }

    /** Something was done; {@code step} takes it back. */
    void did(Runnable step) {
        steps.push(step);
    }

    void backTo(int mark) {
        while (steps.size() > mark) {
            steps.pop().run();
        }
    }

    /** Nothing done so far will be taken back. */
    void forget() {
        steps.clear();
    }

    <K, V> @Nullable V put(Map<K, V> map, K key, V value) {
        V old = map.put(key, value);
        did(() -> restore(map, key, old));
        return old;
    }

    <K, V> @Nullable V remove(Map<K, V> map, K key) {
        V old = map.remove(key);
        if (old != null) {
            did(() -> map.put(key, old));
        }
        return old;
    }

    private static <K, V> void restore(Map<K, V> map, K key, @Nullable V old) {
        if (old == null) {
            map.remove(key);
        } else {
            map.put(key, old);
        }
    }

    <T> void add(Set<T> set, T value) {
        if (set.add(value)) {
            did(() -> set.remove(value));
        }
    }

    <T> void remove(Set<T> set, T value) {
        if (set.remove(value)) {
            did(() -> set.add(value));
        }
    }
}
