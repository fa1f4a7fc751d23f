package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.userdata.NftType;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The table as it was read.
 *
 * @param table whether it exists, and whether it can be kept
 * @param sets declarations by name, anonymous sets left out
 * @param chains by name
 * @param elements of the sets of the layout
 */
public record TableContent(
        Table table, Map<String, NftSet> sets, Map<String, ChainFingerprint> chains, Elements elements) {
    /** The content of the table as found. */
    public enum Table {
        MISSING,
        /** Its declarations are those of another version or of another program: it is made anew, in the same transaction. */
        FOREIGN,
        OURS
    }

    public TableContent {
        sets = Map.copyOf(sets);
        chains = Map.copyOf(chains);
    }

    /** A content with nothing that could be kept. */
    public static TableContent nothing(IpFamily family, Table table) {
        return new TableContent(table, Map.of(), Map.of(), new Elements(family));
    }

    /** Whether the sets of the layout, as far as they exist, are declared as they should be. */
    public static boolean declaredAsOurs(TableForm form, Map<String, NftSet> sets) {
        for (NftSet wanted : TableSets.fixed(form)) {
            NftSet found = sets.get(wanted.name().name());
            if (found != null && !alike(wanted, found)) {
                return false;
            }
        }
        for (NftSet found : sets.values()) {
            String name = found.name().name();
            if (TableSets.isOfClients(name) && !alike(TableSets.clients(form.family(), name), found)) {
                return false;
            }
            for (Lane lane : Lane.values()) {
                OptionalInt count = Elements.countOf(lane, name);
                if (count.isPresent() && !alike(TableSets.counted(form.family(), lane, count.getAsInt()), found)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** In a verdict map, which has no data, the kernel reports the size of its own structure. */
    private static boolean dataAlike(NftSet wanted, NftSet found) {
        return wanted.dataType() == NftType.VERDICT.number() || wanted.dataLength() == found.dataLength();
    }

    /** Whether both are equal, apart from what the kernel assigned: handles, numbers. */
    static boolean alike(NftSet wanted, NftSet found) {
        return wanted.flags() == found.flags()
                && wanted.keyType() == found.keyType()
                && wanted.keyLength() == found.keyLength()
                && wanted.dataType() == found.dataType()
                && dataAlike(wanted, found)
                && wanted.timeoutMillis() == found.timeoutMillis()
                && wanted.size() == found.size()
                && wanted.fields().equals(found.fields())
                && wanted.userData().equals(found.userData())
                && wanted.expressions().equals(found.expressions());
    }
}
