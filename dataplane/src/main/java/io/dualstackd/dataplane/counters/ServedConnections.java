package io.dualstackd.dataplane.counters;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The connections that were served at destinations: those that came, without those that were lost. A number that was shown becomes no
 * smaller while its destination has an owner: both counters are not read at the same moment, and where packets are lost, some may be
 * counted that did not come to the destination.
 *
 * <p>Safe for use by several threads.
 *
 * @param <K> a destination
 */
public final class ServedConnections<K> {
    private final Map<K, Long> shown = new HashMap<>();

    /** The connections that were served. {@code came} is smaller than before only when the destination has another owner. */
    public synchronized long of(K destination, long came, long lost) {
        long before = shown.getOrDefault(destination, 0L);
        long now = Math.max(came < before ? 0 : before, came - lost);
        if (now > 0) {
            shown.put(destination, now);
        } else {
            shown.remove(destination);
        }
        return now;
    }

    /** Forgets what was shown for former owners of destinations. */
    public synchronized void forgetFormer(ToLongFunction<K> came) {
        shown.entrySet().removeIf(each -> came.applyAsLong(each.getKey()) < each.getValue());
    }
}
