package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;

/** The table as people have it: printed by {@code nft} where our own line wrote it, and loaded from that text on the node. */
record RestoredNftables(NetNs node, NetNs desk, NativeNftables line) implements DataplaneUnderTest {
    static RestoredNftables on(NetNs node) throws Exception {
        NetNs desk = FreshNetNs.create();
        return new RestoredNftables(node, desk, new NativeNftables(desk));
    }

    @Override
    public ProxyMode mode() {
        return ProxyMode.NFTABLES;
    }

    @Override
    public void program(NodeView view, List<ServiceView> services) throws Exception {
        line.program(view, services);
        String table = TableSets.name(view.family()).toString();
        String printed = new NetNsCommands(desk).run("nft", "list table " + table);
        new NetNsCommands(node)
                .feed("add table %s\ndelete table %s\n%s".formatted(table, table, printed), "nft", "-f", "-");
    }

    @Override
    public void close() {
        line.close();
        desk.close();
    }
}
