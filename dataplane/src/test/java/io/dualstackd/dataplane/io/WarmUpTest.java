package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.CountingTransport.Counts;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A warm-up sends the same messages as changes do, and leaves the kernel and the applied state as they are. */
@Tag("kernel")
final class WarmUpTest {
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void manyTransactionsAndNoChange(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        ServiceView service = Samples.service(family, 1, 10);
        Map<ServiceKey, Optional<ServiceView>> one = Map.of(service.key(), Optional.of(service));
        try (NetNs ns = FreshNetNs.create();
                NftClient commands = NftClient.open(ns)) {
            CountingTransport transport = new CountingTransport(NlSocket.open(NlProtocol.NETFILTER, ns));
            Syncer nftables = NftablesSyncer.of(family, () -> transport);
            try (ViewSyncer pass = new ViewSyncer(nftables)) {
                SyncResult load = pass.run(node, one);
                int before = commands.generation().id();
                transport.take();

                assertThat(nftables.warmUp(250, () -> false)).isEqualTo(250);

                Counts sent = transport.take();
                assertThat(sent.batches()).isGreaterThan(200);
                assertThat(commands.generation().id()).isEqualTo(before);
                assertThat(pass.run(node, one)).isEqualTo(nothingSent(load));
                assertThat(pass.invalidateIfChanged()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void endsAtOnceWhenThereIsSomethingElseToDo(IpFamily family) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient commands = NftClient.open(ns)) {
            CountingTransport transport = new CountingTransport(NlSocket.open(NlProtocol.NETFILTER, ns));
            try (Syncer syncer = NftablesSyncer.of(family, () -> transport)) {
                AtomicInteger asked = new AtomicInteger();
                assertThat(syncer.warmUp(250, () -> asked.incrementAndGet() > 3))
                        .isEqualTo(3);
                assertThat(transport.take().batches()).isEqualTo(3);
                assertThat(commands.generation().id()).isEqualTo(1);
            }
        }
    }

    /** Notifications of all elements of a first load would cost the kernel as much as the load. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void theFirstLoadAfterwardsSubscribesToNothing(IpFamily family) throws Exception {
        ServiceView service = Samples.service(family, 1, 10);
        AtomicInteger opened = new AtomicInteger();
        try (NetNs ns = FreshNetNs.create()) {
            NetlinkKernel.Open open = () -> {
                opened.incrementAndGet();
                return NlSocket.open(NlProtocol.NETFILTER, ns);
            };
            Syncer nftables = NftablesSyncer.of(family, open);
            try (ViewSyncer pass = new ViewSyncer(nftables)) {
                assertThat(nftables.warmUp(20, () -> false)).isEqualTo(20);
                SyncResult load = pass.run(Samples.node(family), Map.of(service.key(), Optional.of(service)));

                assertThat(load.result()).isInstanceOf(SyncResult.Result.InForce.class);
                assertThat(opened).hasValue(1);
            }
        }
    }

    private static SyncResult nothingSent(SyncResult load) {
        return new SyncResult(load.result(), false, SyncResult.Work.NONE, load.totals(), Map.of(), List.of(), Set.of());
    }
}
