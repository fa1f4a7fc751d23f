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

/** Who wants destinations that several Services want: found out by asking all of them, once it is known that there are such. */
public final class Disputes {
    private final Map<Bytes, SortedSet<ServiceKey>> claimants = new HashMap<>();

    /** Nothing is disputed. */
    public static Disputes none() {
        return new Disputes();
    }

    /** What came to light in a comparison of all Services; they have to be {@linkplain #ask asked} yet. */
    public static Disputes in(AppliedTable drafted) {
        Disputes disputes = new Disputes();
        drafted.destinationOwners
                .disputes()
                .forEach(destination -> disputes.claimants.put(destination, new TreeSet<>()));
        return disputes;
    }

    /**
     * What several of these want.
     *
     * @param all hands out what each Service wants; called once or twice
     */
    public static Disputes among(Consumer<BiConsumer<ServiceKey, ServiceElements>> all) {
        AppliedTable scratch = new AppliedTable();
        all.accept((service, want) -> scratch.destinationOwners.claim(service, want));
        Disputes disputes = in(scratch);
        if (!disputes.claimants.isEmpty()) {
            all.accept(disputes::ask);
        }
        return disputes;
    }

    /** What one Service wants. */
    public void ask(ServiceKey service, ServiceElements want) {
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
