package io.dualstackd.pods;

import java.util.Set;

/**
 * What was known of the pods when a daemon last ran here, for the next one to go on with until the runtime answers.
 *
 * @param boot id of that boot of the kernel: no sandbox outlives a reboot
 * @param runtime the endpoint that told
 * @param processNamespace where process ids were looked at
 * @param visible ids of the sandboxes whose process was found there: one that is not there any more is over
 */
public record SavedPods(String boot, String runtime, String processNamespace, Pods pods, Set<String> visible) {
    public SavedPods {
        visible = Set.copyOf(visible);
    }
}
