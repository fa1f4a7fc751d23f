package io.dualstackd.dataplane.watch;

import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftMessageView;
import java.util.Optional;

/** Decides which objects belong to dualstackd in one family and mode. Used by one thread. */
public interface OwnedObjects {
    /** For rules that are not in nf_tables. */
    OwnedObjects NOTHING = new OwnedObjects() {
        @Override
        public PartialRead partialRead(NftMessageView message) {
            return PartialRead.NOTHING;
        }

        @Override
        public Optional<ChangedObject> judge(NftChange change) {
            return Optional.empty();
        }
    };

    /** @param message one that another program caused; valid during the call only */
    PartialRead partialRead(NftMessageView message);

    /** Judges a message that was {@link PartialRead.Unclear}, once it is decoded. */
    Optional<ChangedObject> judge(NftChange change);
}
