package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.KeyShape;
import io.dualstackd.dataplane.rules.nftables.ServiceElements;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Member;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Sticky;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/**
 * The owners of destinations. Two Services may name the same external IP and port, but in the kernel a destination can lead to one of
 * them only: the first by name owns it, and the others do without. Such destinations are rare, so only for them the Services are
 * stored; for the others a count is kept, to detect conflicts.
 */
final class DestinationOwners {
    private final HashCounts counts;
    private final Map<Bytes, SortedSet<ServiceKey>> contested = new HashMap<>();
    private final Set<Bytes> suspects = new HashSet<>();
    private boolean ownersChange;
    /** Room for the key that is being hashed. */
    private final byte[] hashed = new byte[KeyShape.SERVICE_IP.length(IpFamily.IPV6)];

    DestinationOwners() {
        this(new HashCounts());
    }

    private DestinationOwners(HashCounts counts) {
        this.counts = counts;
    }

    DestinationOwners copy() {
        DestinationOwners copy = new DestinationOwners(counts.copy());
        copy.contested.putAll(contested);
        copy.suspects.addAll(suspects);
        copy.ownersChange = ownersChange;
        return copy;
    }

    /** The destinations a Service wants; no address looks like a node port, because they have different lengths. */
    static Set<Bytes> destinations(ServiceElements want) {
        Set<Bytes> destinations = new LinkedHashSet<>();
        for (Member member : want.members()) {
            if (isDestination(member.set())) {
                destinations.add(member.key());
            }
        }
        return destinations;
    }

    private static boolean isDestination(FixedSet set) {
        return set.shape() == KeyShape.SERVICE_IP || set.shape() == KeyShape.NODE_PORT;
    }

    /** Sets the known claimants of these destinations; to be called before anything else. */
    void contest(Map<Bytes, SortedSet<ServiceKey>> claimants) {
        contested.putAll(claimants);
    }

    /** Releases the destinations of a Service, before {@link #claim} is called for it. */
    void release(IpFamily family, byte[] packed) {
        destinations(family, packed).forEach(destination -> {
            if (!contested.containsKey(destination)) {
                counts.less(hash(destination));
            }
        });
    }

    private static Set<Bytes> destinations(IpFamily family, byte[] packed) {
        return destinations(family, List.of(packed));
    }

    /** The destinations of these Services. */
    static Set<Bytes> destinations(IpFamily family, Collection<byte[]> packedServices) {
        Set<Bytes> had = new HashSet<>();
        AppliedService.EntryVisitor visitor = new AppliedService.EntryVisitor() {
            @Override
            public void member(FixedSet set, byte[] bytes, int keyAt) {
                if (isDestination(set)) {
                    had.add(Bytes.of(bytes, keyAt, keyAt + Elements.keyLength(family, set)));
                }
            }
        };
        packedServices.forEach(packed -> AppliedService.read(family, packed, visitor));
        return had;
    }

    /** Keeps the destinations a Service has, whatever it wants now. */
    void hold(IpFamily family, byte[] packed) {
        destinations(family, packed).forEach(destination -> {
            if (!contested.containsKey(destination) && counts.more(hash(destination)) > 1) {
                suspects.add(destination);
            }
        });
    }

    /** Whether another Service is known to own a destination that a Service has. */
    boolean isOfAnother(ServiceKey service, Bytes destination) {
        SortedSet<ServiceKey> claimants = contested.get(destination);
        return claimants != null && !claimants.isEmpty() && !claimants.first().equals(service);
    }

    /** What a Service wants without the destinations known to be owned by another one; changes nothing. */
    ServiceElements own(ServiceKey service, ServiceElements want) {
        Set<Bytes> lost = new HashSet<>();
        contested.forEach((destination, claimants) -> {
            if (claimants.contains(service) && !claimants.first().equals(service)) {
                lost.add(destination);
            }
        });
        return lost.isEmpty() ? want : without(want, lost);
    }

    /** Claims the destinations a Service wants; returns what it wants without the destinations owned by another one. */
    ServiceElements claim(ServiceKey service, ServiceElements want) {
        Set<Bytes> lost = Set.of();
        Set<Bytes> destinations = destinations(want);
        for (Bytes destination : destinations) {
            SortedSet<ServiceKey> claimants = contested.get(destination);
            if (claimants == null) {
                if (counts.more(hash(destination)) > 1) {
                    suspects.add(destination);
                }
            } else if (!claimants.contains(service)) {
                ownersChange = true;
            } else if (!claimants.first().equals(service)) {
                lost = lost.isEmpty() ? new HashSet<>() : lost;
                lost.add(destination);
            }
        }
        for (Map.Entry<Bytes, SortedSet<ServiceKey>> known : contested.entrySet()) {
            ownersChange |= known.getValue().contains(service) && !destinations.contains(known.getKey());
        }
        return lost.isEmpty() ? want : without(want, lost);
    }

    /** Whether another Service had a destination when it was claimed, and may still give it up. */
    boolean isSuspect(Bytes destination) {
        return suspects.contains(destination);
    }

    /** Whether destinations are wanted by several Services, or by others than known: then all Services have to be queried. */
    boolean disputed() {
        return ownersChange || !disputes().isEmpty();
    }

    /** Destinations that several Services want and whose claimants are not known. Those released meanwhile do not count. */
    Set<Bytes> disputes() {
        suspects.removeIf(destination -> counts.of(hash(destination)) <= 1);
        return Set.copyOf(suspects);
    }

    private long hash(Bytes destination) {
        return HashCounts.hash(FixedSet.SERVICE_IPS, hashed, 0, destination.copyTo(hashed, 0));
    }

    private static ServiceElements without(ServiceElements want, Set<Bytes> lost) {
        return new ServiceElements(
                want.members().stream()
                        .filter(member -> !lost.contains(destination(member)))
                        .toList(),
                want.spreads().stream()
                        .filter(spread -> !lost.contains(spread.destination()))
                        .toList(),
                want.sticky().stream()
                        .map(list -> without(list, lost))
                        .filter(list -> !list.destinations().isEmpty())
                        .toList());
    }

    private static Sticky without(Sticky list, Set<Bytes> lost) {
        List<Sticky.Entry> kept = list.destinations().stream()
                .filter(entry -> !lost.contains(entry.destination()))
                .toList();
        return new Sticky(list.chain(), kept, list.endpoints(), list.timeoutSeconds(), list.protocol());
    }

    private static Bytes destination(Member member) {
        if (member.set().shape() != KeyShape.SOURCE) {
            return isDestination(member.set()) ? member.key() : Bytes.EMPTY;
        }
        int source = (member.key().length() - 2 * Integer.BYTES) / 2;
        return member.key().first(member.key().length() - source);
    }
}
