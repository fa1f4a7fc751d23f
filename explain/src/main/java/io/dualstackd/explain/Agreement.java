package io.dualstackd.explain;

import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketFate.Hop;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whether the kernel does what the plans predict. */
public sealed interface Agreement {
    record Agrees() implements Agreement {}

    /** @param how the differences, in whole sentences */
    record Differs(List<String> how) implements Agreement {
        public Differs {
            how = List.copyOf(how);
        }
    }

    /** The kernel could not be compared. */
    record Unknown(String why) implements Agreement {}

    /** Probabilities that differ by less than this are equal. */
    double CLOSE = 1e-9;

    /**
     * Compares the prediction with the findings.
     *
     * @param sticky whether a client may be bound to one of the endpoints (session affinity), which the plans do not predict
     */
    static Agreement of(PacketFate predicted, KernelFindings kernelFindings, boolean sticky) {
        return switch (kernelFindings) {
            case KernelFindings.Silent(String reason) -> new Unknown(reason);
            case KernelFindings.Found found -> {
                if (!found.deviations().isEmpty()) {
                    yield new Differs(found.deviations());
                }
                yield surprise(predicted, found.ends(), sticky)
                        .<Agreement>map(how -> new Differs(List.of(how)))
                        .orElseGet(Agrees::new);
            }
        };
    }

    private static Optional<String> surprise(PacketFate predicted, List<End> ends, boolean sticky) {
        boolean as = switch (predicted) {
            case PacketFate.NotOurs() ->
                ends.stream()
                        .allMatch(end -> end.verdict() == Verdict.ACCEPTED
                                && end.translated().isEmpty()
                                && !end.masqueraded());
            case PacketFate.Dropped ignored -> all(ends, Verdict.DROPPED);
            case PacketFate.Rejected ignored -> all(ends, Verdict.REJECTED);
            case PacketFate.Forwarded(var service, var reason, var hops) -> isSpread(ends, hops, sticky);
        };
        return as ? Optional.empty() : Optional.of("the kernel's rules end otherwise: " + words(ends));
    }

    private static boolean all(List<End> ends, Verdict verdict) {
        return ends.stream().allMatch(end -> end.verdict() == verdict);
    }

    private static boolean isSpread(List<End> ends, List<Hop> hops, boolean sticky) {
        Map<String, Double> wanted = new TreeMap<>();
        hops.forEach(hop -> wanted.merge(hop.to().address() + " " + hop.masqueraded(), 1.0 / hops.size(), Double::sum));
        Map<String, Double> found = new TreeMap<>();
        ends.forEach(end -> found.merge(
                end.translated().map(Object::toString).orElse("nowhere") + " " + end.masqueraded(),
                end.verdict() == Verdict.ACCEPTED ? end.probability() : 0,
                Double::sum));
        if (sticky && ends.size() == 1 && ends.getFirst().verdict() == Verdict.ACCEPTED) {
            return wanted.keySet().containsAll(found.keySet());
        }
        return wanted.keySet().equals(found.keySet())
                && wanted.entrySet().stream()
                        .allMatch(each -> Math.abs(each.getValue() - found.getOrDefault(each.getKey(), 0.0)) < CLOSE);
    }

    private static String words(List<End> ends) {
        StringBuilder words = new StringBuilder();
        for (End end : ends) {
            words.append(words.isEmpty() ? "" : ", ")
                    .append(
                            switch (end.verdict()) {
                                case DROPPED -> "dropped";
                                case REJECTED -> "rejected";
                                case ACCEPTED ->
                                    end.translated().map(to -> "sent to " + to).orElse("left as it is")
                                            + (end.masqueraded() ? " masqueraded" : "");
                            })
                    .append(end.probability() < 1 ? " (" + Math.round(end.probability() * 1000) / 10.0 + " %)" : "");
        }
        return words.toString();
    }
}
