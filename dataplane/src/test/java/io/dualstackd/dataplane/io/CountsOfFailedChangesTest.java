package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.elements.ElementCounters;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is shown of destinations that a transaction gives up which the kernel does not take. */
final class CountsOfFailedChangesTest {
    private static final IpFamily FAMILY = IpFamily.IPV4;
    private static final NodeView NODE = Samples.node(FAMILY);
    private static final ServiceView SERVICE = Samples.service(FAMILY, 1, 3);
    private static final ExpressionPrint PRINT = new ExpressionPrint(new PrintKey(1, 2));

    private final FakeTableKernel kernel = new FakeTableKernel(FAMILY, PRINT);
    private final NftablesSyncer nftables = new NftablesSyncer(FAMILY, kernel, PRINT);
    private final ElementCounters counters = nftables.counters();

    private static Bytes key() {
        ServicePort port = SERVICE.ports().getFirst().port();
        return Keys.serviceIp(port.clusterIp(), port.name().protocol(), port.port());
    }

    private void kernelHas(long packets) {
        ElementCounters.Reading reading = counters.begin();
        reading.add(FixedSet.SERVICE_IPS, key().toArray(), packets, packets * 60);
        counters.end(reading);
    }

    private long shown() {
        return counters.packets(FixedSet.SERVICE_IPS, key());
    }

    private long total() {
        return counters.total(FixedSet.SERVICE_IPS);
    }

    @Test
    void aDestinationIsRetiredWhenTheKernelHasLetItGo() {
        try (ViewSyncer syncer = new ViewSyncer(nftables)) {
            syncer.run(NODE, Map.of(SERVICE.key(), Optional.of(SERVICE)));
            kernelHas(10);
            kernel.next = FakeTableKernel.Fault.OUTDATED;
            assertThat(syncer.run(NODE, Map.of(SERVICE.key(), Optional.empty())).result())
                    .isEqualTo(new Result.Outdated());
            assertThat(shown()).isEqualTo(10);
            kernelHas(12);
            assertThat(total()).as("counted once").isEqualTo(12);

            assertThat(syncer.run(NODE, Map.of()).result()).isEqualTo(new Result.InForce());
            assertThat(shown()).isZero();
            assertThat(total()).isEqualTo(12);
        }
    }
}
