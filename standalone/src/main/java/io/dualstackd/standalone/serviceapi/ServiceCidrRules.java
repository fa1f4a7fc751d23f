package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.allocation.ServiceRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules for {@code networking.k8s.io/v1} ServiceCIDR objects (KEP-1880). */
public final class ServiceCidrRules {
    private static final String CIDRS = "spec.cidrs";

    private ServiceCidrRules() {}

    /** Checks that there is one network, or two of different families, each written as Kubernetes writes it. */
    public static List<Rejection> check(List<String> cidrs) {
        List<Rejection> rejections = new ArrayList<>();
        if (cidrs.isEmpty()) {
            rejections.add(new Rejection(CIDRS, "", "required: one network, or one of each IP family"));
        }
        if (cidrs.size() > 2) {
            rejections.add(new Rejection(CIDRS, String.join(",", cidrs), "may only hold up to 2 values"));
        }
        Set<IpFamily> seen = EnumSet.noneOf(IpFamily.class);
        for (int i = 0; i < cidrs.size(); i++) {
            String field = CIDRS + "[" + i + "]";
            try {
                IpPrefix network = IpPrefix.parse(cidrs.get(i));
                if (!network.toString().equals(cidrs.get(i))) {
                    rejections.add(new Rejection(field, cidrs.get(i), "must be written in canonical form: " + network));
                }
                if (!seen.add(network.family())) {
                    rejections.add(
                            new Rejection(field, cidrs.get(i), "there may be no more than one for each IP family"));
                }
            } catch (IllegalArgumentException e) {
                rejections.add(new Rejection(field, cidrs.get(i), "is not a network such as 10.96.0.0/16"));
            }
        }
        return rejections;
    }

    /** Checks that existing networks stay; one of the other family may be appended. */
    public static List<Rejection> checkChange(List<String> old, List<String> now) {
        boolean appended = old.size() == 1 && now.size() == 2 && now.getFirst().equals(old.getFirst());
        return now.equals(old) || appended
                ? List.of()
                : List.of(new Rejection(
                        CIDRS,
                        String.join(",", now),
                        "may not change once set, but for a network of the other family added behind the first"));
    }

    /**
     * An address in use that only the networks of this object contain, so that the object cannot be removed yet.
     *
     * @param cidrs of the object to be removed
     * @param others networks of all other objects
     * @param used addresses of Services
     */
    public static Optional<Ip> keptBy(List<IpPrefix> cidrs, Collection<IpPrefix> others, Iterable<Ip> used) {
        List<ServiceRange> alone = cidrs.stream()
                .filter(network -> others.stream().noneMatch(other -> other.contains(network)))
                .map(ServiceRange::new)
                .toList();
        if (alone.isEmpty()) {
            return Optional.empty();
        }
        for (Ip ip : used) {
            boolean here = alone.stream().anyMatch(range -> range.contains(ip));
            if (here && others.stream().noneMatch(other -> new ServiceRange(other).contains(ip))) {
                return Optional.of(ip);
            }
        }
        return Optional.empty();
    }
}
