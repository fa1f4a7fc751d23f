package io.dualstackd.dataplane.rules.iptables;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules and elements that a packet has matched so far. Any two trails are equal, so that walks merge packets that differ in nothing
 * else; the trail of one of them remains.
 */
public final class Trail {
    /** The trail of a packet that has not matched anything yet. */
    public static final Trail START = new Trail(null, new Step("", ""));

    private final @Nullable Trail before;
    private final Step last;

    /**
     * A rule that matched, or an element that was found.
     *
     * @param place table and chain, or set
     * @param object as {@code iptables-save} or {@code nft} prints it
     */
    public record Step(String place, String object) {}

    private Trail(@Nullable Trail before, Step last) {
        this.before = before;
        this.last = last;
    }

    /** The trail with one more step, if there is one. */
    public Trail with(Optional<Step> step) {
        return step.isEmpty() ? this : new Trail(this, step.get());
    }

    /** The steps from the first to the last; one that was met twice is there once, where it was met first. */
    public List<Step> steps() {
        LinkedHashSet<Step> steps = new LinkedHashSet<>();
        for (Trail at = this; at.before != null; at = at.before) {
            steps.addFirst(at.last);
        }
        return List.copyOf(steps);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Trail;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
