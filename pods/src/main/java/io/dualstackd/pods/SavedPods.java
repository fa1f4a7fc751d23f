package io.dualstackd.pods;

import java.util.Set;

/**
 * The pods known to the last daemon that ran here, used by the next one until the runtime answers.
 *
 * @param boot the kernel's boot id: no sandbox outlives a reboot
 * @param runtime the endpoint of the runtime that listed them
 * @param processNamespace the process namespace in which process ids were read
 * @param visible ids of the sandboxes whose process was found there: if the process no longer exists, the sandbox has ended
 */
public record SavedPods(String boot, String runtime, String processNamespace, Pods pods, Set<String> visible) {
    public SavedPods {
        visible = Set.copyOf(visible);
    }
}
