package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.wire.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the Service whose change a message of a batch makes, by a search through the applied state: refusals are rare, so nothing is stored
 * for them.
 */
public final class Blame {
    private final IpFamily family;
    private final AppliedTable appliedTable;

    /** @param appliedTable the applied state as drafted together with the transaction */
    public Blame(IpFamily family, AppliedTable appliedTable) {
        this.family = family;
        this.appliedTable = appliedTable;
    }

    /** The origin that wants what the message writes; empty when it only removes, or removes something no Service wants any more. */
    public Optional<Origin> origin(NftChange message) {
        return switch (message) {
            case NftChange.ElementsSet(var set, List<NftElement> elements) ->
                elements.size() == 1 ? ofElement(set.name(), elements.getFirst()) : Optional.empty();
            case NftChange.ChainSet chain -> ofName(chain.chain().name().name());
            case NftChange.RuleSet rule -> ofName(rule.rule().chain().name());
            case NftChange.SetSet set -> ofName(set.set().name().name());
            case NftChange.TableSet ignored -> Optional.of(Origin.NODE);
            case NftChange.TableDeleted _,
                    NftChange.ChainDeleted _,
                    NftChange.RuleDeleted _,
                    NftChange.SetDeleted _,
                    NftChange.ElementsDeleted _,
                    NftChange.Committed _,
                    NftChange.Other _ -> Optional.empty();
        };
    }

    private Optional<Origin> ofElement(String set, NftElement element) {
        int length = element.key().length() + element.keyEnd().length();
        byte[] key = new byte[length];
        element.keyEnd().copyTo(key, element.key().copyTo(key, 0));
        return owner(new Search() {
            @Override
            public void member(FixedSet fixed, byte[] packed, int keyAt) {
                found |= set.equals(fixed.setName()) && isAt(packed, keyAt, key, length);
            }

            @Override
            public void spread(Lane lane, byte[] packed, int destinationAt, int count, int valuesAt) {
                int destination = set.equals(lane.mapName()) ? length - Integer.BYTES : length;
                found |= (set.equals(lane.mapName()) || set.equals(lane.setName(count)))
                        && isAt(packed, destinationAt, key, destination);
            }

            @Override
            public void sticky(Lane lane, Bytes destination, String chain) {
                found |= set.equals(lane.stickyMapName()) && destination.equals(element.key());
            }
        });
    }

    private Optional<Origin> ofName(String name) {
        Optional<Origin> service = owner(new Search() {
            @Override
            public void chain(String chain) {
                found |= chain.equals(name);
            }

            @Override
            public void clients(String set) {
                found |= set.equals(name);
            }
        });
        return service.isPresent() ? service : Optional.of(Origin.NODE);
    }

    private Optional<Origin> owner(Search search) {
        for (Map.Entry<ServiceKey, byte[]> service : appliedTable.packedServices.entrySet()) {
            AppliedService.read(family, service.getValue(), search);
            if (search.found) {
                return Optional.of(new Origin.OfService(service.getKey()));
            }
        }
        AppliedService.read(family, appliedTable.node, search);
        return search.found ? Optional.of(Origin.NODE) : Optional.empty();
    }

    private static boolean isAt(byte[] packed, int at, byte[] key, int length) {
        for (int i = 0; i < length; i++) {
            if (packed[at + i] != key[i]) {
                return false;
            }
        }
        return true;
    }

    private abstract static class Search extends AppliedService.EntryVisitor {
        boolean found;
    }
}
