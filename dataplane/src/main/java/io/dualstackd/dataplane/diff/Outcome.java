package io.dualstackd.dataplane.diff;

import java.util.List;
import java.util.Optional;

/** The kernel's answer to a transaction. */
public sealed interface Outcome {
    /**
     * Every step is in force.
     *
     * @param placed the handles of the {@link Op.PlaceRule}s, in their order
     * @param messages netlink messages sent
     * @param bytes bytes sent
     */
    record Applied(List<Long> placed, int messages, long bytes) implements Outcome {
        public Applied {
            placed = List.copyOf(placed);
        }
    }

    /** Nothing is in force, because the kernel refused some steps. */
    record Refused(List<Refusal> refusals) implements Outcome {
        public Refused {
            refusals = List.copyOf(refusals);
        }
    }

    /** Nothing is in force, because another program changed the rules in between. */
    record Outdated() implements Outcome {}

    /** It is not known what is in force: the answer was lost, or the kernel cannot be reached. */
    record Unreachable(String reason) implements Outcome {}

    /**
     * One refused step.
     *
     * @param origin the origin it was made for; empty when the kernel refused the transaction as a whole
     * @param kernelSays what was refused, and the error's name with the kernel's own text, to be shown to the user
     */
    record Refusal(Optional<Origin> origin, String kernelSays) {}
}
