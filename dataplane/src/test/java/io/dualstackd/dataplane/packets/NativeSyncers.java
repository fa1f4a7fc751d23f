package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The syncers of this project, one for each family. They go from one set of Services to the next by changes, as in a daemon that keeps
 * running; after each step a second syncer, newly started, must find nothing to do.
 */
abstract class NativeSyncers implements DataplaneUnderTest {
    private final NetNs node;
    private final Map<IpFamily, ViewSyncer> syncers = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, List<ServiceView>> inForce = new EnumMap<>(IpFamily.class);

    NativeSyncers(NetNs node) {
        this.node = node;
    }

    /** Opens the syncer of one family on the node. */
    abstract Syncer syncer(IpFamily family, NetlinkKernel.Open open);

    @Override
    public void program(NodeView view, List<ServiceView> services) {
        IpFamily family = view.family();
        Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
        inForce.getOrDefault(family, List.of()).forEach(service -> changes.put(service.key(), Optional.empty()));
        services.forEach(service -> changes.put(service.key(), Optional.of(service)));
        inForce.put(family, services);

        SyncResult report = syncers.computeIfAbsent(family, this::open).run(view, changes);
        assertThat(report.result()).isEqualTo(new SyncResult.Result.InForce());
        assertThat(report.leftOut()).isEmpty();

        takeOver(view, services);
    }

    /** Starts afresh on a kernel that already holds these Services, and must find nothing to do. */
    void takeOver(NodeView view, List<ServiceView> services) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        services.forEach(service -> all.put(service.key(), Optional.of(service)));
        try (ViewSyncer syncer = open(view.family())) {
            SyncResult report = syncer.run(view, all);
            assertThat(report.result()).isEqualTo(new SyncResult.Result.InForce());
            assertThat(report.ops()).as("changes").isZero();
        }
    }

    private ViewSyncer open(IpFamily family) {
        return new ViewSyncer(syncer(family, () -> NlSocket.open(NlProtocol.NETFILTER, node)));
    }

    @Override
    public void close() {
        syncers.values().forEach(ViewSyncer::close);
    }
}
