package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpPrefix;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** An object in force, with the data that only the ledger has. Written to disk before it takes effect. */
public sealed interface Entry {
    ObjectKey key();

    /** When it was created. */
    Instant created();

    /**
     * A Service.
     *
     * @param object the whole object with all its defaults, addresses and node ports, as an API server would return it
     */
    record ServiceEntry(ObjectKey key, Instant created, Tree.Mapping object) implements Entry {}

    /**
     * A ServiceCIDR.
     *
     * @param cidrs one, or one of each family
     * @param deleting since when it is being deleted; it stays while addresses depend on it
     * @param written whether a file has it; otherwise it is the default one, created from the flags
     */
    record CidrEntry(ObjectKey key, Instant created, List<IpPrefix> cidrs, Optional<Instant> deleting, boolean written)
            implements Entry {
        public CidrEntry {
            cidrs = List.copyOf(cidrs);
        }
    }

    /** An address in use. */
    record AddressEntry(Instant created, IpAddress address) implements Entry {
        @Override
        public ObjectKey key() {
            return address.key();
        }
    }
}
