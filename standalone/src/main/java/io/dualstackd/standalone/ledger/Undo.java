package io.dualstackd.standalone.ledger;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The steps that undo changes of a ledger. Every change is made through this class, or registers here how to undo it. */
final class Undo {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /** Returns the present position, for going back to it. */
    int mark() {
        return steps.size();
    }

    /** Records a change; {@code step} undoes it. */
    void did(Runnable step) {
        steps.push(step);
    }

    void backTo(int mark) {
        while (steps.size() > mark) {
            steps.pop().run();
        }
    }

    /** Drops all steps: nothing done so far will be undone. */
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
