package io.dualstackd.explain;

import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import java.util.List;

/** What the kernel's rules do with a packet. */
public sealed interface KernelFindings {
    /**
     * The rules were read.
     *
     * @param deviations differences between the kernel and what is wanted, as far as they concern this packet
     * @param ends the possible ends of the packet; their probabilities add up to 1
     */
    record Found(List<String> deviations, List<End> ends) implements KernelFindings {
        public Found {
            deviations = List.copyOf(deviations);
            ends = List.copyOf(ends);
        }

        /** The ways that the packet may take, one for each end. */
        public List<KernelPath> paths() {
            return ends.stream().map(KernelPath::of).toList();
        }

        /** The objects that decide, each once: those of the first way come first. */
        public List<Evidence> met() {
            return paths().stream()
                    .flatMap(path -> path.steps().stream())
                    .distinct()
                    .toList();
        }
    }

    /** The kernel could not be read. */
    record Silent(String reason) implements KernelFindings {}
}
