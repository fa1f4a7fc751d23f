package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.PushedPass;
import io.dualstackd.dataplane.io.Syncer;
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
 * Our own line from views to the kernel. It goes from one set of Services to the next by changes, as in a daemon that never stops;
 * after each step a second line, fresh from the start, must find nothing to do.
 */
abstract class NativeLines implements DataplaneUnderTest {
    private final NetNs node;
    private final Map<IpFamily, PushedPass> lines = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, List<ServiceView>> inForce = new EnumMap<>(IpFamily.class);

    NativeLines(NetNs node) {
        this.node = node;
    }

    /** The pass of one family on the node. */
    abstract Syncer pass(IpFamily family, NetlinkKernel.Open open);

    @Override
    public void program(NodeView view, List<ServiceView> services) {
        IpFamily family = view.family();
        Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
        inForce.getOrDefault(family, List.of()).forEach(service -> changes.put(service.key(), Optional.empty()));
        services.forEach(service -> changes.put(service.key(), Optional.of(service)));
        inForce.put(family, services);

        SyncResult report = lines.computeIfAbsent(family, this::line).run(view, changes);
        assertThat(report.result()).isEqualTo(new SyncResult.Result.InForce());
        assertThat(report.leftOut()).isEmpty();

        takeOver(view, services);
    }

    /** Starts afresh on a kernel that already holds these Services, and must find nothing to do. */
    void takeOver(NodeView view, List<ServiceView> services) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        services.forEach(service -> all.put(service.key(), Optional.of(service)));
        try (PushedPass line = line(view.family())) {
            SyncResult report = line.run(view, all);
            assertThat(report.result()).isEqualTo(new SyncResult.Result.InForce());
            assertThat(report.ops()).as("changes").isZero();
        }
    }

    private PushedPass line(IpFamily family) {
        return new PushedPass(pass(family, () -> NlSocket.open(NlProtocol.NETFILTER, node)));
    }

    @Override
    public void close() {
        lines.values().forEach(PushedPass::close);
    }
}
