package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The addresses a pod's status shows: at most one per family. */
public final class PodIps {
    private PodIps() {}

    /** As {@link #sorted(List, IpFamily)}; without a preferred family, the one of the first address. */
    public static List<Ip> sorted(List<String> raw, Optional<IpFamily> preferred) {
        return preferred
                .or(() -> raw.stream().findFirst().map(Ip::parseLenient).map(Ip::family))
                .map(family -> sorted(raw, family))
                .orElse(List.of());
    }

    /**
     * The first address of the preferred family, then the first of the other; a family that is missing is left out.
     *
     * @param raw as {@link #asReported} gives it
     */
    public static List<Ip> sorted(List<String> raw, IpFamily preferred) {
        List<Ip> ips = raw.stream().map(Ip::parseLenient).toList();
        return Stream.of(preferred, preferred.other())
                .flatMap(family ->
                        ips.stream().filter(ip -> ip.family() == family).limit(1))
                .toList();
    }

    /** Returns these addresses with that of the preferred family first; without one, as they are. */
    static List<Ip> reordered(List<Ip> ips, Optional<IpFamily> preferred) {
        return preferred
                .map(family -> ips.stream()
                        .sorted(Comparator.comparing((Ip ip) -> ip.family() != family))
                        .toList())
                .orElse(ips);
    }

    /**
     * Returns the addresses of a pod on the host's network: the node's addresses, unless the pod already has some. Then only a missing
     * family is added, so that a change of the node's address does not change the addresses of running pods.
     *
     * @param known what the pod has so far, {@link #sorted}
     * @param nodeIps the node's primary and, if there is one, secondary address
     */
    public static List<Ip> onHostNetwork(List<Ip> known, List<Ip> nodeIps) {
        List<Ip> ips = known.isEmpty() ? nodeIps.stream().limit(1).toList() : known;
        boolean completed = nodeIps.size() > 1
                && ips.size() == 1
                && ips.getFirst().family() != nodeIps.get(1).family();
        return completed ? List.of(ips.getFirst(), nodeIps.get(1)) : ips;
    }

    /**
     * Returns where a pod on the host's network can be reached: the node's addresses, and those of the pod in a family of which the node has
     * none now.
     */
    static List<Ip> present(List<Ip> known, List<Ip> nodeIps) {
        return Stream.concat(
                        nodeIps.stream(),
                        known.stream().filter(ip -> nodeIps.stream().noneMatch(own -> own.family() == ip.family())))
                .toList();
    }

    /**
     * The addresses of a sandbox as the runtime reports them, accepted as a whole or not at all: if one text is not an address, the others
     * are not trusted either.
     *
     * @param ip the sandbox's {@code network.ip}; empty for host-network sandboxes, whose {@code additional} addresses are used all the
     *     same
     * @param additional {@code network.additional_ips}
     * @return in the given order, with repetitions; empty when a text cannot be read as an address
     */
    public static List<String> asReported(String ip, List<String> additional) {
        List<String> raw = new ArrayList<>(1 + additional.size());
        if (!ip.isEmpty()) {
            raw.add(ip);
        }
        raw.addAll(additional);
        return raw.stream().allMatch(PodIps::isAddress) ? List.copyOf(raw) : List.of();
    }

    /** Accepts addresses in all forms written by old and new runtimes, leading zeros included. */
    private static boolean isAddress(String text) {
        try {
            Ip.parseLenient(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
