package io.dualstackd.dataplane.watch;

import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftMessageView;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The objects of dualstackd in nftables mode: everything in one table, whichever program made it, and nothing else. */
public final class OwnedTable implements OwnedObjects {
    private final TableName table;

    public OwnedTable(TableName table) {
        this.table = table;
    }

    @Override
    public PartialRead partialRead(NftMessageView message) {
        if (!message.isIn(table)) {
            return PartialRead.NOTHING;
        }
        int type = message.type();
        if (type == NftMessageType.NEW_ELEMENT || type == NftMessageType.DELETE_ELEMENT) {
            return PartialRead.UNCLEAR;
        }
        return new PartialRead.Ours(change(type, message));
    }

    private ChangedObject change(int type, NftMessageView message) {
        try {
            if (type == NftMessageType.NEW_CHAIN || type == NftMessageType.DELETE_CHAIN) {
                return new ChangedObject.InChain(new ChainName(table, message.name()));
            } else if (type == NftMessageType.NEW_RULE || type == NftMessageType.DELETE_RULE) {
                return new ChangedObject.InRules(new ChainName(table, message.name()));
            } else if (type == NftMessageType.NEW_SET || type == NftMessageType.DELETE_SET) {
                return new ChangedObject.InSet(new SetName(table, message.name()));
            }
        } catch (DecodeException e) {
            // A message without a name, which no kernel sends: taken as one about the table.
        }
        return new ChangedObject.InTable(table);
    }

    @Override
    public Optional<ChangedObject> judge(NftChange change) {
        return switch (change) {
            case NftChange.ElementsSet(SetName set, List<NftElement> elements) -> elements(set, elements);
            case NftChange.ElementsDeleted(SetName set, List<NftElement> elements) -> elements(set, elements);
            default -> Optional.empty();
        };
    }

    private Optional<ChangedObject> elements(SetName set, List<NftElement> elements) {
        if (!set.table().equals(table)) {
            return Optional.empty();
        }
        Set<Bytes> keys = elements.stream().map(NftElement::key).collect(Collectors.toSet());
        return Optional.of(new ChangedObject.InElements(set, keys));
    }
}
