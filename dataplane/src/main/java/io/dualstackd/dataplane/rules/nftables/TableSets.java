package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.nft.userdata.SetUserData;
import io.dualstackd.netlink.nft.userdata.Typeof;
import io.dualstackd.netlink.nft.userdata.UserData;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of a family and the declarations of its sets and maps. None except those of clients has a size: they grow with their
 * elements.
 */
public final class TableSets {
    /** The name of the table, in both families. */
    public static final String NAME = "dualstackd";

    private static final String COMMENT = "written by dualstackd, which undoes foreign changes";

    /**
     * The most clients an endpoint remembers; further ones are served and not remembered. It is the size {@code nft} gives to such
     * sets, and bounds the memory for a flood of forged sources to some megabytes.
     */
    public static final int MAX_CLIENTS = 65535;

    private TableSets() {}

    public static TableName name(IpFamily family) {
        return new TableName(NftFamily.of(family), NAME);
    }

    public static NftTable table(IpFamily family) {
        return new NftTable(name(family), 0, 0, 0, UserData.comment(COMMENT));
    }

    /** As {@link #fixed(TableForm)}, of a table of the usual form. */
    public static List<NftSet> fixed(IpFamily family) {
        return fixed(TableForm.plain(family));
    }

    /** The sets and maps every table has: {@link FixedSet}s, and each {@link Lane}'s two maps. */
    public static List<NftSet> fixed(TableForm form) {
        IpFamily family = form.family();
        List<NftSet> sets = new ArrayList<>();
        for (FixedSet set : FixedSet.values()) {
            sets.add(fixed(family, set));
        }
        for (Lane lane : Lane.values()) {
            sets.add(endpoints(form, lane));
            sets.add(sticky(family, lane));
        }
        return List.copyOf(sets);
    }

    public static NftSet fixed(IpFamily family, FixedSet set) {
        NftSet declared = set(family, set.setName(), set.shape());
        if (set.counts()) {
            return declared.withExpression(Counter.ZERO);
        }
        return set.ranges() ? declared.withIntervals(set.shape().type(family)) : declared;
    }

    /** The destinations with {@code count} endpoints, {@link Lane#setName}. */
    public static NftSet counted(IpFamily family, Lane lane, int count) {
        return set(family, lane.setName(count), lane.destination());
    }

    /** {@link Lane#mapName}. */
    public static NftSet endpoints(TableForm form, Lane lane) {
        IpFamily family = form.family();
        NftType address = NftType.address(family);
        NftSet map = NftSet.map(
                        name(family).set(lane.mapName()),
                        lane.slot().type(family),
                        NftType.concat(address, NftType.INET_SERVICE))
                .withUserData(SetUserData.of(
                        lane.slot().typeof(family),
                        Typeof.concat(Typeof.destination(family), Typeof.Header.TH_DPORT),
                        ""));
        return form.countsEndpoints() ? map.withExpression(Counter.ZERO) : map;
    }

    /** {@link Lane#stickyMapName}. */
    public static NftSet sticky(IpFamily family, Lane lane) {
        return NftSet.map(
                        name(family).set(lane.stickyMapName()),
                        lane.destination().type(family),
                        NftType.VERDICT)
                .withUserData(SetUserData.of(lane.destination().typeof(family), new Typeof.ToVerdict(), ""));
    }

    /** Whether a set of that name is one of {@link #clients}. */
    public static boolean isOfClients(String name) {
        return name.startsWith(ObjectNames.CLIENTS);
    }

    /** The clients an endpoint remembers. Each has its own timeout, given by the rule that adds it. */
    public static NftSet clients(IpFamily family, String name) {
        return NftSet.set(name(family).set(name), NftType.address(family))
                .dynamic(0, MAX_CLIENTS)
                .withTimeouts()
                .withUserData(SetUserData.of(Typeof.source(family), null, ""));
    }

    private static NftSet set(IpFamily family, String name, KeyShape shape) {
        return NftSet.set(name(family).set(name), shape.type(family))
                .withUserData(SetUserData.of(shape.typeof(family), null, ""));
    }
}
