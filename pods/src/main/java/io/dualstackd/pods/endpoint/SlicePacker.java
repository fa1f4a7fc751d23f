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
 * Distributes the pods of a Service over its slices of one family so that few slices change, as the controller of Kubernetes does: who is
 * in a slice stays there; who is new comes into a slice that changes anyway, then into the fullest one with room for all the rest, else
 * into a new one. Slices are never levelled out. Pods with other port numbers are in other slices.
 */
final class SlicePacker {
    /** {@code --max-endpoints-per-slice} of the controller, by default. */
    static final int MOST = 100;

    private final IpFamily family;
    private final List<SliceDraft> filled = new ArrayList<>();

    private SlicePacker(IpFamily family) {
        this.family = family;
    }

    /**
     * @param before the slices of the family until now
     * @param wanted who shall be in slices, by ports, in a fixed order; nobody twice
     * @return by number; one that is empty when nobody is wanted
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

    /** Who is in a slice stays in it, as he is now; slices that change thereby take others in. Returns who has no place yet. */
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

    /** The same with as many of the rest as there is room for; takes them out of it. */
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
