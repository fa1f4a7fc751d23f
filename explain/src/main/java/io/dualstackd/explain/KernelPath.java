package io.dualstackd.explain;

import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.netlink.ip.IpPort;
import java.util.List;
import java.util.Optional;

/**
 * One way of a packet through the kernel's rules.
 *
 * @param fate {@code forwarded}, {@code rejected}, {@code dropped} or {@code left as it is}
 * @param to the endpoint, when it is forwarded
 * @param masqueraded whether its source becomes an address of the node
 * @param probability above 0, up to 1; those of all ways add up to 1
 * @param steps the rules that match and the elements that are found, in this order
 */
public record KernelPath(
        String fate, Optional<IpPort> to, boolean masqueraded, double probability, List<Evidence> steps) {
    public KernelPath {
        steps = List.copyOf(steps);
    }

    static KernelPath of(End end) {
        String fate = switch (end.verdict()) {
            case DROPPED -> "dropped";
            case REJECTED -> "rejected";
            case ACCEPTED -> end.translated().isPresent() ? "forwarded" : "left as it is";
        };
        List<Evidence> steps = end.trail().steps().stream()
                .map(step -> new Evidence(step.place(), step.object()))
                .toList();
        return new KernelPath(fate, end.translated(), end.masqueraded(), end.probability(), steps);
    }
}
