package io.dualstackd.pods;

import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.Sandbox;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything the runtime lists, at one moment, grouped by pod. Immutable.
 *
 * <p>Built each second when a runtime sends no events, so the usual case of one sandbox for each pod is made cheap.
 */
public final class Relist {
    private static final Comparator<Sandbox> BY_AGE =
            Comparator.comparingLong(Sandbox::createdAt).reversed().thenComparing(Sandbox::id);
    private static final Comparator<Container> BY_ID = Comparator.comparing(Container::id);

    /**
     * The listed objects of one pod.
     *
     * @param sandboxes newest first, at least one
     * @param containers of the newest sandbox, by id
     */
    record OfPod(Sandbox.Metadata name, List<Sandbox> sandboxes, List<Container> containers) {
        Sandbox newest() {
            return sandboxes.getFirst();
        }
    }

    /** Identifies a pod. Its uid alone does not: two files with pods of their own may give the same one. */
    record PodId(String uid, String namespace, String name) implements Comparable<PodId> {
        private static final Comparator<PodId> ORDER =
                Comparator.comparing(PodId::uid).thenComparing(PodId::namespace).thenComparing(PodId::name);

        static PodId of(Sandbox.Metadata metadata) {
            return new PodId(metadata.uid(), metadata.namespace(), metadata.name());
        }

        @Override
        public int compareTo(PodId other) {
            return ORDER.compare(this, other);
        }
    }

    private final Map<PodId, OfPod> byPod = new TreeMap<>();

    /** Takes lists in any order; a sandbox without pod metadata is ignored. */
    public Relist(List<Sandbox> sandboxes, List<Container> containers) {
        Map<PodId, List<Sandbox>> byId = HashMap.newHashMap(sandboxes.size());
        for (Sandbox sandbox : sandboxes) {
            sandbox.metadata().ifPresent(metadata -> byId.merge(PodId.of(metadata), List.of(sandbox), Relist::joined));
        }
        Map<String, List<Container>> bySandbox = HashMap.newHashMap(sandboxes.size());
        for (Container container : containers) {
            bySandbox
                    .computeIfAbsent(container.sandboxId(), id -> new ArrayList<>(2))
                    .add(container);
        }
        byId.forEach((id, group) -> {
            List<Sandbox> newestFirst = group.size() == 1 ? group : newestFirst(group);
            Sandbox newest = newestFirst.getFirst();
            List<Container> inside = bySandbox.getOrDefault(newest.id(), List.of());
            if (inside.size() > 1) {
                inside.sort(BY_ID);
            }
            byPod.put(id, new OfPod(newest.metadata().orElseThrow(), newestFirst, List.copyOf(inside)));
        });
    }

    private static List<Sandbox> joined(List<Sandbox> some, List<Sandbox> more) {
        List<Sandbox> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    Map<PodId, OfPod> byPod() {
        return byPod;
    }

    /**
     * The newest first: higher attempt first, then later creation, then smaller id. Attempts are compared only where both are known.
     *
     * @param sandboxes of one pod
     */
    static List<Sandbox> newestFirst(List<Sandbox> sandboxes) {
        return sandboxes.stream().sorted(Relist::compare).toList();
    }

    private static int compare(Sandbox one, Sandbox other) {
        Optional<Long> attempt = one.metadata().map(Sandbox.Metadata::attempt);
        Optional<Long> otherAttempt = other.metadata().map(Sandbox.Metadata::attempt);
        int byAttempt =
                attempt.isPresent() && otherAttempt.isPresent() ? Long.compare(otherAttempt.get(), attempt.get()) : 0;
        return byAttempt != 0 ? byAttempt : BY_AGE.compare(one, other);
    }
}
