package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.allocation.ServiceRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The rules for {@code networking.k8s.io/v1} ServiceCIDR objects (KEP-1880). */
public final class ServiceCidrRules {
    private static final String CIDRS = "spec.cidrs";

    private ServiceCidrRules() {}

    /** Checks that Services can get addresses from each network. */
    public static List<Rejection> checkNetworks(List<IpPrefix> cidrs) {
        List<Rejection> rejections = new ArrayList<>();
        for (int i = 0; i < cidrs.size(); i++) {
            ServiceRange range = new ServiceRange(cidrs.get(i));
            if (!range.isAllocatable()) {
                rejections.add(new Rejection(
                        CIDRS + "[" + i + "]",
                        cidrs.get(i).toString(),
                        "is too large, no address can be allocated from it: an IPv6 network must be /64 or smaller"));
            } else if (range.size() == 0) {
                rejections.add(new Rejection(
                        CIDRS + "[" + i + "]",
                        cidrs.get(i).toString(),
                        "is too small, no address can be allocated from it"));
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
