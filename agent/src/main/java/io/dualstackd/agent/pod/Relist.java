package io.dualstackd.agent.pod;

import io.dualstackd.agent.cri.Container;
import io.dualstackd.agent.cri.Sandbox;
import io.dualstackd.agent.cri.SandboxMetadata;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Everything the runtime lists, at one moment. */
public record Relist(List<Sandbox> sandboxes, List<Container> containers) {
    public Relist {
        sandboxes = List.copyOf(sandboxes);
        containers = List.copyOf(containers);
    }

    /**
     * What is listed of one pod.
     *
     * @param sandboxes newest first, at least one
     * @param containers of the newest sandbox, by id
     */
    record OfPod(SandboxMetadata name, List<Sandbox> sandboxes, List<Container> containers) {
        Sandbox newest() {
            return sandboxes.getFirst();
        }
    }

    /** By the pod's uid; a sandbox that does not say whose it is belongs to nobody. */
    Map<String, OfPod> byPod() {
        Map<String, List<Sandbox>> byUid = sandboxes.stream()
                .filter(sandbox -> sandbox.metadata().isPresent())
                .collect(Collectors.groupingBy(
                        sandbox -> sandbox.metadata().get().uid(), TreeMap::new, Collectors.toList()));
        Map<String, List<Container>> bySandbox =
                containers.stream().collect(Collectors.groupingBy(Container::sandboxId));
        Map<String, OfPod> pods = new TreeMap<>();
        byUid.forEach((uid, group) -> {
            List<Sandbox> newestFirst = SandboxOrder.newestFirst(group);
            Sandbox newest = newestFirst.getFirst();
            List<Container> inside = bySandbox.getOrDefault(newest.id(), List.of()).stream()
                    .sorted(Comparator.comparing(Container::id))
                    .toList();
            pods.put(uid, new OfPod(newest.metadata().orElseThrow(), newestFirst, inside));
        });
        return pods;
    }
}
