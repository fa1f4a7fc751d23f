package io.dualstackd.pods;

import io.dualstackd.netlink.ip.IpPrefix;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The networks from which this node's pods get their addresses.
 *
 * @param cidrs none while they are not known, else one or two, of different families
 */
public record PodCidrs(List<IpPrefix> cidrs) {
    /** Not known. */
    public static final PodCidrs NONE = new PodCidrs(List.of());

    public PodCidrs {
        cidrs = List.copyOf(cidrs);
        if (cidrs.size() > 2) {
            throw new IllegalArgumentException("at most two networks, one per IP family; these are " + cidrs.size());
        }
        if (cidrs.size() == 2 && cidrs.get(0).family() == cidrs.get(1).family()) {
            throw new IllegalArgumentException("two networks must be one of each IP family; both are "
                    + cidrs.get(0).family());
        }
    }

    /**
     * Reads {@code 10.244.1.0/24,fd00:244:1::/64}; empty text gives {@link #NONE}.
     *
     * @throws IllegalArgumentException naming the text and the broken rule
     */
    public static PodCidrs parse(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        try {
            return new PodCidrs(Arrays.stream(text.split(",", -1))
                    .map(part -> IpPrefix.parse(part.strip()))
                    .toList());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\": " + e.getMessage(), e);
        }
    }

    /** As {@code podCIDRs} of a Node and the runtime's {@code pod_cidr} have it: joined with commas. */
    @Override
    public String toString() {
        return cidrs.stream().map(IpPrefix::toString).collect(Collectors.joining(","));
    }
}
