package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.nftables.ServiceElements;
import io.dualstackd.netlink.wire.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Destinations that several Services want, each with these Services: found by querying all of them, once there are such. */
public final class DestinationConflicts {
    private final Map<Bytes, SortedSet<ServiceKey>> claimants = new HashMap<>();

    /** No conflicts. */
    public static DestinationConflicts none() {
        return new DestinationConflicts();
    }

    /** The conflicts found in a comparison of all Services; the Services that want them are {@linkplain #add added} afterwards. */
    public static DestinationConflicts in(AppliedTable drafted) {
        DestinationConflicts destinationConflicts = new DestinationConflicts();
        drafted.destinationOwners
                .disputes()
                .forEach(destination -> destinationConflicts.claimants.put(destination, new TreeSet<>()));
        return destinationConflicts;
    }

    /**
     * The conflicts among these Services.
     *
     * @param all passes what each Service wants; called once or twice
     */
    public static DestinationConflicts among(Consumer<BiConsumer<ServiceKey, ServiceElements>> all) {
        AppliedTable scratch = new AppliedTable();
        all.accept((service, want) -> scratch.destinationOwners.claim(service, want));
        DestinationConflicts destinationConflicts = in(scratch);
        if (!destinationConflicts.claimants.isEmpty()) {
            all.accept(destinationConflicts::add);
        }
        return destinationConflicts;
    }

    /** Adds the destinations that one Service wants. */
    public void add(ServiceKey service, ServiceElements want) {
        for (Bytes destination : DestinationOwners.destinations(want)) {
            SortedSet<ServiceKey> known = claimants.get(destination);
            if (known != null) {
                known.add(service);
            }
        }
    }

    Map<Bytes, SortedSet<ServiceKey>> claimants() {
        return claimants;
    }
}
