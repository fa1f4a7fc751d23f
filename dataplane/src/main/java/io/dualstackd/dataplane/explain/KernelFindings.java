package io.dualstackd.dataplane.explain;

import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import java.util.List;

/** What the kernel's rules say about a packet. */
public sealed interface KernelFindings {
    /**
     * They were asked.
     *
     * @param met what decides, in the order a packet meets it
     * @param deviations what is in the kernel otherwise than it should be, as far as this packet is concerned
     * @param ends where the packet ends; those of all ways add up to 1
     */
    record Given(List<Evidence> met, List<String> deviations, List<End> ends) implements KernelFindings {
        public Given {
            met = List.copyOf(met);
            deviations = List.copyOf(deviations);
            ends = List.copyOf(ends);
        }
    }

    /** The kernel could not be asked. */
    record Silent(String reason) implements KernelFindings {}
}
