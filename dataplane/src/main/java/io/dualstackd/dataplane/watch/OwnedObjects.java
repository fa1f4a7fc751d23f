package io.dualstackd.dataplane.watch;

import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftMessageView;
import java.util.Optional;

/** Knows what is ours in one family and mode. Used by one thread. */
public interface OwnedObjects {
    /** For rules that nf_tables knows nothing of. */
    OwnedObjects NOTHING = new OwnedObjects() {
        @Override
        public PartialRead look(NftMessageView message) {
            return PartialRead.NOTHING;
        }

        @Override
        public Optional<ChangedObject> judge(NftChange change) {
            return Optional.empty();
        }
    };

    /** @param message one that somebody else caused; valid during the call only */
    PartialRead look(NftMessageView message);

    /** The second look at a message that was {@link PartialRead.Unclear}. */
    Optional<ChangedObject> judge(NftChange change);
}
