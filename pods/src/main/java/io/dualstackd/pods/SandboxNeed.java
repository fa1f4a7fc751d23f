package io.dualstackd.pods;

import io.dualstackd.pods.cri.NamespaceMode;
import io.dualstackd.pods.cri.SandboxMetadata;
import io.dualstackd.pods.cri.SandboxState;
import io.dualstackd.pods.cri.SandboxStatus;
import java.util.List;

/**
 * Whether a pod needs a new sandbox.
 *
 * @param another true when it does
 * @param attempt of the new sandbox when one is needed, else of the existing one
 * @param id of the newest existing sandbox; empty when it is of no use to the next one
 */
public record SandboxNeed(boolean another, long attempt, String id) {
    /**
     * @param newestFirst all sandboxes of the pod, in {@link SandboxOrder}
     * @param onHostNetwork whether the pod is to run on the host's network
     */
    public static SandboxNeed of(List<SandboxStatus> newestFirst, boolean onHostNetwork) {
        if (newestFirst.isEmpty()) {
            return new SandboxNeed(true, 0, "");
        }
        SandboxStatus newest = newestFirst.getFirst();
        long attempt = newest.metadata().map(SandboxMetadata::attempt).orElse(0L);
        long ready = newestFirst.stream().filter(SandboxNeed::isReady).count();
        if (ready > 1 || !isReady(newest)) {
            return new SandboxNeed(true, attempt + 1, newest.id());
        }
        NamespaceMode wanted = onHostNetwork ? NamespaceMode.NODE : NamespaceMode.POD;
        if (newest.networkMode() != wanted) {
            return new SandboxNeed(true, attempt + 1, "");
        }
        // A sandbox without a first address is not usable, even if it has additional ones.
        boolean nameless = !onHostNetwork
                && newest.network().filter(network -> network.ip().isEmpty()).isPresent();
        return new SandboxNeed(nameless, nameless ? attempt + 1 : attempt, newest.id());
    }

    private static boolean isReady(SandboxStatus sandbox) {
        return sandbox.state() == SandboxState.READY;
    }
}
