package io.dualstackd.dataplane.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SyncTotalsTest {
    private static Endpoint endpoint(int n, boolean ready, boolean serving, boolean terminating) {
        return new Endpoint(
                Samples.endpoint(Samples.podIp(IpFamily.IPV4, 1, n), 80).address(),
                ready,
                serving,
                terminating,
                false,
                Set.of(),
                Set.of());
    }

    private static int counted(Endpoint... endpoints) {
        SyncTotals syncTotals = new SyncTotals();
        syncTotals.put(Planner.of(Samples.node(IpFamily.IPV4))
                .plan(Samples.service(IpFamily.IPV4, 1, List.of(endpoints), Affinity.NONE)));
        return syncTotals.totals(0, 0).endpoints();
    }

    @Test
    void countsOnlyServingServices() {
        Endpoint ready = endpoint(1, true, true, false);
        Endpoint unready = endpoint(2, false, false, false);
        Endpoint finishing = endpoint(3, false, true, true);
        Endpoint ending = endpoint(4, false, false, true);
        assertThat(counted(ready, unready, finishing, ending)).isEqualTo(1);
        assertThat(counted(unready, finishing, ending)).isEqualTo(1);
        assertThat(counted(unready, ending)).isZero();
    }
}
