package io.dualstackd.dataplane.explain;

import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import java.util.List;

/** What the kernel's rules do with a packet. */
public sealed interface KernelFindings {
    /**
     * The rules were read.
     *
     * @param met the objects that decide, in the order a packet meets them
     * @param deviations differences between the kernel and what is wanted, as far as they concern this packet
     * @param ends the possible ends of the packet; their probabilities add up to 1
     */
    record Given(List<Evidence> met, List<String> deviations, List<End> ends) implements KernelFindings {
        public Given {
            met = List.copyOf(met);
            deviations = List.copyOf(deviations);
            ends = List.copyOf(ends);
        }
    }

    /** The kernel could not be read. */
    record Silent(String reason) implements KernelFindings {}
}
