package io.dualstackd.pods.io;

import io.dualstackd.pods.Pod;
import io.dualstackd.pods.Pods;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the first process of each sandbox by its id in this process namespace.
 *
 * <p>The runtime's process id may belong to another process namespace. It is verified by the process's control group, whose path holds the
 * sandbox's id; if that fails all processes are searched once. A process that is not found then is in a namespace that is not visible here.
 */
final class SandboxProcesses {
    private static final int HIDDEN = 0;

    private final Path proc;
    /** By sandbox id. */
    private final Map<String, Integer> found = new HashMap<>();

    SandboxProcesses(Path proc) {
        this.proc = proc;
    }

    /** Returns the ids of the processes that hold ready sandboxes, as far as they are visible. */
    Set<Integer> of(Pods pods) {
        Map<String, Integer> reported = new HashMap<>();
        for (Pod pod : pods.all()) {
            if (pod.sandbox().ready() && pod.sandbox().known()) {
                reported.put(pod.sandbox().id(), pod.sandbox().process());
            }
        }
        found.keySet().retainAll(reported.keySet());
        Set<String> searched = new HashSet<>();
        reported.forEach((id, process) -> {
            if (!found.containsKey(id)) {
                if (process > 0
                        && isIn(Path.of(Integer.toString(process)), Set.of(id)).contains(id)) {
                    found.put(id, process);
                } else {
                    searched.add(id);
                }
            }
        });
        search(searched);
        Set<Integer> processes = new HashSet<>(found.values());
        processes.remove(HIDDEN);
        return processes;
    }

    /** The sandboxes held by these processes. */
    Set<String> heldBy(Set<Integer> processes) {
        Set<String> ids = new HashSet<>();
        found.forEach((id, process) -> {
            if (processes.contains(process)) {
                ids.add(id);
            }
        });
        return ids;
    }

    /** The sandboxes whose process is visible. */
    Set<String> visible() {
        Set<String> ids = new HashSet<>(found.keySet());
        ids.removeIf(id -> found.getOrDefault(id, HIDDEN) == HIDDEN);
        return ids;
    }

    private void search(Set<String> ids) {
        if (ids.isEmpty()) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(proc, "[1-9]*")) {
            for (Path process : all) {
                for (String id : isIn(process.getFileName(), ids)) {
                    found.putIfAbsent(id, Integer.parseInt(process.getFileName().toString()));
                }
            }
        } catch (IOException | RuntimeException e) {
            // Without /proc, or without file descriptors, no process is visible now: they are searched for the next
            // time, too.
            return;
        }
        ids.forEach(id -> found.putIfAbsent(id, HIDDEN));
    }

    /** Returns those of the ids that the process's control groups are named after. */
    private Set<String> isIn(Path process, Set<String> ids) {
        try {
            String groups = Files.readString(proc.resolve(process).resolve("cgroup"));
            Set<String> named = new HashSet<>();
            for (String id : ids) {
                if (groups.contains(id)) {
                    named.add(id);
                }
            }
            return named;
        } catch (IOException e) {
            return Set.of();
        }
    }
}
