package io.dualstackd.pods.endpoint;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pods.endpoint.SliceDraft.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Distributes the pods of a Service over its slices of one family so that few slices change, as the Kubernetes controller does: a pod stays
 * in its slice; a new pod is added to a slice that changes anyway, then to the fullest one with space for all remaining pods, else to a new
 * one. Slices are never rebalanced. Pods with different port numbers are in different slices.
 */
final class SlicePacker {
    /** The default of {@code --max-endpoints-per-slice} of the controller. */
    static final int MOST = 100;

    private final IpFamily family;
    private final List<SliceDraft> filled = new ArrayList<>();

    private SlicePacker(IpFamily family) {
        this.family = family;
    }

    /**
     * @param before the slices of the family until now
     * @param wanted the members to place, by ports, in a fixed order; without duplicates
     * @return by number; one empty slice when there are no members
     */
    static List<SliceDraft> next(
            IpFamily family,
            List<SliceDraft> before,
            Map<List<EndpointSlice.Port>, ? extends Collection<Member>> wanted) {
        SlicePacker fill = new SlicePacker(family);
        Map<List<EndpointSlice.Port>, List<Member>> rest = new LinkedHashMap<>();
        wanted.forEach((ports, members) -> {
            List<SliceDraft> same = before.stream()
                    .filter(sliceDraft -> sliceDraft.ports().equals(ports))
                    .toList();
            rest.put(ports, fill.stay(same, members));
        });
        rest.forEach(fill::add);
        if (fill.filled.isEmpty()) {
            int number = before.stream().mapToInt(SliceDraft::number).min().orElse(0);
            fill.filled.add(new SliceDraft(family, number, List.of(), List.of()));
        }
        return fill.filled.stream()
                .sorted(Comparator.comparingInt(SliceDraft::number))
                .toList();
    }

    /**
     * Keeps members in their slices, with their current state; slices that change thereby take in others. Returns the members not placed
     * yet.
     */
    private List<Member> stay(List<SliceDraft> before, Collection<Member> wanted) {
        Map<PodRef, Member> left = wanted.stream()
                .collect(Collectors.toMap(Member::pod, Function.identity(), (a, b) -> a, LinkedHashMap::new));
        List<SliceDraft> changed = new ArrayList<>();
        for (SliceDraft sliceDraft : before) {
            List<Member> stayed = sliceDraft.members().stream()
                    .flatMap(member -> Optional.ofNullable(left.remove(member.pod())).stream())
                    .toList();
            if (stayed.equals(sliceDraft.members()) && !stayed.isEmpty()) {
                filled.add(sliceDraft);
            } else if (!stayed.isEmpty()) {
                changed.add(new SliceDraft(family, sliceDraft.number(), sliceDraft.ports(), stayed));
            }
        }
        List<Member> rest = new ArrayList<>(left.values());
        changed.sort(Comparator.comparingInt(
                        (SliceDraft sliceDraft) -> sliceDraft.members().size())
                .reversed()
                .thenComparingInt(SliceDraft::number));
        for (SliceDraft sliceDraft : changed) {
            filled.add(with(sliceDraft, rest));
        }
        return rest;
    }

    private void add(List<EndpointSlice.Port> ports, List<Member> rest) {
        if (rest.isEmpty()) {
            return;
        }
        while (rest.size() >= MOST) {
            filled.add(with(new SliceDraft(family, free(), ports, List.of()), rest));
        }
        Optional<SliceDraft> fullest = filled.stream()
                .filter(sliceDraft ->
                        sliceDraft.ports().equals(ports) && sliceDraft.members().size() + rest.size() <= MOST)
                .max(Comparator.comparingInt(
                                (SliceDraft sliceDraft) -> sliceDraft.members().size())
                        .thenComparing(SliceDraft::number, Comparator.reverseOrder()));
        if (!rest.isEmpty()) {
            fullest.ifPresent(filled::remove);
            filled.add(with(fullest.orElseGet(() -> new SliceDraft(family, free(), ports, List.of())), rest));
        }
    }

    /** Returns the same slice with as many of the rest as fit; removes them from the rest. */
    private static SliceDraft with(SliceDraft sliceDraft, List<Member> rest) {
        List<Member> taken = rest.subList(
                0, Math.min(rest.size(), MOST - sliceDraft.members().size()));
        List<Member> members = new ArrayList<>(sliceDraft.members());
        members.addAll(taken);
        taken.clear();
        return new SliceDraft(sliceDraft.family(), sliceDraft.number(), sliceDraft.ports(), members);
    }

    private int free() {
        Set<Integer> used = filled.stream().map(SliceDraft::number).collect(Collectors.toCollection(HashSet::new));
        int number = 0;
        while (used.contains(number)) {
            number++;
        }
        return number;
    }
}
