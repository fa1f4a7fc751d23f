package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The applied state of the table of one family. Changed while a transaction is drafted, and only right if the kernel then accepts it:
 * otherwise the caller has to discard it.
 */
public final class AppliedTable {
    final Map<ServiceKey, byte[]> packedServices = new HashMap<>();
    byte[] node = AppliedService.NOTHING;
    final HashCounts shared;
    final DestinationOwners destinationOwners;
    final CountsInUse counts;
    final Map<String, ChainFingerprint> chains = new HashMap<>();
    /** Sets of clients, by name. */
    final Set<String> clients = new HashSet<>();
    /** The numbers of endpoints for which there is a set, by lane. */
    final Map<Lane, TreeSet<Integer>> declared = new EnumMap<>(Lane.class);

    public AppliedTable() {
        this(new HashCounts(), new DestinationOwners(), new CountsInUse());
    }

    private AppliedTable(HashCounts shared, DestinationOwners destinationOwners, CountsInUse counts) {
        this.shared = shared;
        this.destinationOwners = destinationOwners;
        this.counts = counts;
        for (Lane lane : Lane.values()) {
            declared.put(lane, new TreeSet<>());
        }
    }

    /** An applied state with the elements of these packed Services, but with no Service: each has to be added by its name. */
    static AppliedTable of(IpFamily family, byte[] node, Collection<byte[]> packedServices) {
        AppliedTable table = new AppliedTable();
        table.node = node;
        AppliedService.EntryVisitor visitor = new AppliedService.EntryVisitor() {
            @Override
            public void member(FixedSet set, byte[] packed, int keyAt) {
                if (set.shared()) {
                    int ignored =
                            table.shared.more(HashCounts.hash(set, packed, keyAt, Elements.keyLength(family, set)));
                }
            }

            @Override
            public void spread(Lane lane, byte[] packed, int destinationAt, int count, int valuesAt) {
                table.counts.more(lane, count);
            }
        };
        for (byte[] packed : packedServices) {
            AppliedService.read(family, packed, visitor);
            table.destinationOwners.hold(family, packed);
        }
        return table;
    }

    /** A copy, to be changed by a draft that may be discarded. */
    public AppliedTable copy() {
        AppliedTable copy = new AppliedTable(shared.copy(), destinationOwners.copy(), counts.copy());
        copy.packedServices.putAll(packedServices);
        copy.node = node;
        copy.chains.putAll(chains);
        copy.clients.addAll(clients);
        declared.forEach((lane, numbers) -> copy.declared.put(lane, new TreeSet<>(numbers)));
        return copy;
    }

    public boolean hasChain(String name) {
        return chains.containsKey(name);
    }

    public int chainCount() {
        return chains.size();
    }

    public int ruleCount() {
        int count = 0;
        for (ChainFingerprint chain : chains.values()) {
            count += chain.rules();
        }
        return count;
    }

    /** What a Service has in the table, in the form {@link TableDraft#keep} takes; empty when it has nothing. */
    public byte[] packed(ServiceKey service) {
        return packedServices.getOrDefault(service, AppliedService.NOTHING);
    }

    Set<Integer> declared(Lane lane) {
        return declared.computeIfAbsent(lane, key -> new TreeSet<>());
    }

    /** How many destinations of each lane have how many endpoints: a set and a rule exist for each number in use. */
    static final class CountsInUse {
        private final Map<Lane, Map<Integer, Integer>> destinations = new EnumMap<>(Lane.class);

        CountsInUse() {
            for (Lane lane : Lane.values()) {
                destinations.put(lane, new TreeMap<>());
            }
        }

        CountsInUse copy() {
            CountsInUse copy = new CountsInUse();
            destinations.forEach((lane, counts) -> copy.destinations.put(lane, new TreeMap<>(counts)));
            return copy;
        }

        void more(Lane lane, int endpoints) {
            of(lane).merge(endpoints, 1, Integer::sum);
        }

        void less(Lane lane, int endpoints) {
            of(lane).computeIfPresent(endpoints, (key, uses) -> uses == 1 ? null : uses - 1);
        }

        boolean inUse(Lane lane, int endpoints) {
            return of(lane).containsKey(endpoints);
        }

        SortedSet<Integer> inUse(Lane lane) {
            return new TreeSet<>(of(lane).keySet());
        }

        private Map<Integer, Integer> of(Lane lane) {
            return destinations.getOrDefault(lane, Map.of());
        }
    }
}
