package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which Services to leave out after refused transactions. A transaction is all or nothing, so one Service the kernel cannot
 * hold (a match its build lacks, say) would keep all others out. When the same origin is refused twice in a row, also right after the
 * kernel was read anew, it is left out until it changes or is retried: what the kernel last accepted of it stays in force. A chain that no
 * Service wants is left at its first refusal. When the kernel reports no Service, or a different one every time, {@link RefusalSearch}
 * finds it.
 */
public final class Refusals {
    private final Map<Origin, String> suspects = new HashMap<>();
    private final Map<ServiceKey, String> leftOut = new HashMap<>();
    private final Set<ChainId> stuck = new HashSet<>();
    /** Refusals in a row, none of which showed which Service to leave out. */
    private int inVain;

    public void note(List<Refusal> refusals) {
        Map<Origin, String> now = new HashMap<>();
        for (Refusal refusal : refusals) {
            refusal.origin().ifPresent(origin -> now.putIfAbsent(origin, refusal.kernelSays()));
        }
        if (now.containsKey(Origin.NODE)) {
            // Origins that rely on refused rules of the node are refused, too, without being the cause.
            now.keySet().removeIf(origin -> !origin.equals(Origin.NODE));
        }
        inVain++;
        now.forEach((origin, words) -> {
            // A leftover is no reason to suspect, or to search for, a Service, such as the one that gave it up.
            if (origin instanceof Origin.Leftover || suspects.containsKey(origin)) {
                leaveOut(origin, words);
            }
        });
        suspects.clear();
        suspects.putAll(now);
    }

    private void leaveOut(Origin origin, String words) {
        switch (origin) {
            case Origin.OfService(ServiceKey service) -> leaveOut(service, words);
            case Origin.Leftover(ChainId chain) -> {
                stuck.add(chain);
                inVain = 0;
            }
            case Origin.Node ignored -> {}
        }
    }

    /** Leaves a Service out, with the kernel's message. */
    public void leaveOut(ServiceKey service, String words) {
        leftOut.put(service, words);
        inVain = 0;
    }

    /** Whether the kernel refuses nothing, as far as known. */
    boolean isEmpty() {
        return leftOut.isEmpty() && stuck.isEmpty() && inVain == 0;
    }

    /** Whether a search is needed to find the refused Services. */
    public boolean unexplained() {
        return inVain > 1;
    }

    /** Requests another search at the next refusal, because this one was not completed. */
    public void searchOn() {
        inVain = 1;
    }

    public void settled() {
        suspects.clear();
        inVain = 0;
    }

    public void retryAll(ServiceKey service) {
        leftOut.remove(service);
    }

    public void retryAll() {
        leftOut.clear();
        stuck.clear();
    }

    public boolean leftOut(ServiceKey service) {
        return leftOut.containsKey(service);
    }

    public Map<ServiceKey, String> leftOut() {
        return leftOut;
    }

    /** Chains the kernel refuses to delete, because a rule of another program jumps to them. */
    public Set<ChainId> stuckChains() {
        return stuck;
    }
}
