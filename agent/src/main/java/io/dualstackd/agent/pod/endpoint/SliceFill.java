package io.dualstackd.agent.pod.endpoint;

import io.dualstackd.agent.api.EndpointSlice;
import io.dualstackd.agent.pod.endpoint.Drawer.Member;
import io.dualstackd.netlink.ip.IpFamily;
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
final class SliceFill {
    /** {@code --max-endpoints-per-slice} of the controller, by default. */
    static final int MOST = 100;

    private final IpFamily family;
    private final List<Drawer> filled = new ArrayList<>();

    private SliceFill(IpFamily family) {
        this.family = family;
    }

    /**
     * @param before the slices of the family until now
     * @param wanted who shall be in slices, by ports, in a fixed order; nobody twice
     * @return by number; one that is empty when nobody is wanted
     */
    static List<Drawer> next(
            IpFamily family, List<Drawer> before, Map<List<EndpointSlice.Port>, ? extends Collection<Member>> wanted) {
        SliceFill fill = new SliceFill(family);
        Map<List<EndpointSlice.Port>, List<Member>> rest = new LinkedHashMap<>();
        wanted.forEach((ports, members) -> {
            List<Drawer> same = before.stream()
                    .filter(drawer -> drawer.ports().equals(ports))
                    .toList();
            rest.put(ports, fill.stay(same, members));
        });
        rest.forEach(fill::add);
        if (fill.filled.isEmpty()) {
            int number = before.stream().mapToInt(Drawer::number).min().orElse(0);
            fill.filled.add(new Drawer(family, number, List.of(), List.of()));
        }
        return fill.filled.stream()
                .sorted(Comparator.comparingInt(Drawer::number))
                .toList();
    }

    /** Who is in a slice stays in it, as he is now; slices that change thereby take others in. Returns who has no place yet. */
    private List<Member> stay(List<Drawer> before, Collection<Member> wanted) {
        Map<PodRef, Member> left = wanted.stream()
                .collect(Collectors.toMap(Member::pod, Function.identity(), (a, b) -> a, LinkedHashMap::new));
        List<Drawer> changed = new ArrayList<>();
        for (Drawer drawer : before) {
            List<Member> stayed = drawer.members().stream()
                    .flatMap(member -> Optional.ofNullable(left.remove(member.pod())).stream())
                    .toList();
            if (stayed.equals(drawer.members()) && !stayed.isEmpty()) {
                filled.add(drawer);
            } else if (!stayed.isEmpty()) {
                changed.add(new Drawer(family, drawer.number(), drawer.ports(), stayed));
            }
        }
        List<Member> rest = new ArrayList<>(left.values());
        changed.sort(Comparator.comparingInt((Drawer drawer) -> drawer.members().size())
                .reversed()
                .thenComparingInt(Drawer::number));
        for (Drawer drawer : changed) {
            filled.add(with(drawer, rest));
        }
        return rest;
    }

    private void add(List<EndpointSlice.Port> ports, List<Member> rest) {
        if (rest.isEmpty()) {
            return;
        }
        while (rest.size() >= MOST) {
            filled.add(with(new Drawer(family, free(), ports, List.of()), rest));
        }
        Optional<Drawer> fullest = filled.stream()
                .filter(drawer ->
                        drawer.ports().equals(ports) && drawer.members().size() + rest.size() <= MOST)
                .max(Comparator.comparingInt((Drawer drawer) -> drawer.members().size())
                        .thenComparing(Drawer::number, Comparator.reverseOrder()));
        if (!rest.isEmpty()) {
            fullest.ifPresent(filled::remove);
            filled.add(with(fullest.orElseGet(() -> new Drawer(family, free(), ports, List.of())), rest));
        }
    }

    /** The same with as many of the rest as there is room for; takes them out of it. */
    private static Drawer with(Drawer drawer, List<Member> rest) {
        List<Member> taken =
                rest.subList(0, Math.min(rest.size(), MOST - drawer.members().size()));
        List<Member> members = new ArrayList<>(drawer.members());
        members.addAll(taken);
        taken.clear();
        return new Drawer(drawer.family(), drawer.number(), drawer.ports(), members);
    }

    private int free() {
        Set<Integer> used = filled.stream().map(Drawer::number).collect(Collectors.toCollection(HashSet::new));
        int number = 0;
        while (used.contains(number)) {
            number++;
        }
        return number;
    }
}
