package io.dualstackd.pods;

import io.dualstackd.pods.cri.Sandbox;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Defines which of a pod's sandboxes is newest: kubelet's attempt counter takes precedence over the creation time. */
public final class SandboxOrder {
    private static final Comparator<Sandbox> BY_AGE =
            Comparator.comparingLong(Sandbox::createdAt).reversed().thenComparing(Sandbox::id);

    private SandboxOrder() {}

    /**
     * Higher attempt first, then later creation, then smaller id. Attempts are compared only where both are known.
     *
     * @param sandboxes of one pod
     */
    public static List<Sandbox> newestFirst(List<Sandbox> sandboxes) {
        return sandboxes.stream().sorted(SandboxOrder::compare).toList();
    }

    private static int compare(Sandbox one, Sandbox other) {
        Optional<Long> attempt = one.metadata().map(Sandbox.Metadata::attempt);
        Optional<Long> otherAttempt = other.metadata().map(Sandbox.Metadata::attempt);
        int byAttempt =
                attempt.isPresent() && otherAttempt.isPresent() ? Long.compare(otherAttempt.get(), attempt.get()) : 0;
        return byAttempt != 0 ? byAttempt : BY_AGE.compare(one, other);
    }
}
