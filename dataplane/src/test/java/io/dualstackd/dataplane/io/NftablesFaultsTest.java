package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.FakeTableKernel.Fault;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pass of nftables mode on a table in memory, where everything goes wrong that can. */
@Tag("slow")
final class NftablesFaultsTest {
    private static final long SEED = 7;
    private static final int STEPS = 1_500;
    private static final int SERVICES = 8;
    private static final ExpressionPrint PRINT = new ExpressionPrint(new PrintKey(1, 2));

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void afterAnyFaultTheNextPassMakesUpForIt(IpFamily family) {
        Random random = new Random(SEED);
        RandomServices services = new RandomServices(random, family);
        FakeTableKernel kernel = new FakeTableKernel(family, PRINT);
        Map<ServiceKey, Optional<ServiceView>> now = new HashMap<>();
        NodeView node = services.node();
        ViewSyncer syncer = new ViewSyncer(new NftablesSyncer(family, kernel, PRINT));
        for (int step = 0; step < STEPS; step++) {
            String which = "seed " + SEED + ", step " + step;
            Map<ServiceKey, Optional<ServiceView>> changes = services.changes(SERVICES);
            if (random.nextInt(8) == 0) {
                node = services.node();
            }
            now.putAll(changes);
            if (random.nextInt(3) == 0) {
                kernel.next = services.one(List.of(Fault.values()));
            }
            SyncResult report = syncer.run(node, changes);
            kernel.next = Fault.NONE;
            if (report.needsRetry()) {
                assertThat(report.result()).as(which).isNotInstanceOf(Result.Refused.class);
                report = syncer.run(node, Map.of());
            }
            assertThat(report.result()).as(which).isEqualTo(new Result.InForce());
            SyncResult fresh = new ViewSyncer(new NftablesSyncer(family, kernel, PRINT)).run(node, now);
            assertThat(fresh.result()).as(which).isEqualTo(new Result.InForce());
            assertThat(fresh.ops()).as(which).isZero();
        }
        now.keySet().forEach(key -> now.put(key, Optional.empty()));
        assertThat(syncer.run(Samples.node(family), now).result()).isEqualTo(new Result.InForce());
        assertThat(kernel.elements()).isZero();
        assertThat(kernel.sets())
                .as("sets of numbers and clients")
                .noneMatch(name -> name.matches(".*-\\d+|affinity.*"));
    }

    /** One Service the kernel cannot hold must not keep the others out. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aServiceThatIsRefusedTwiceIsLeftOut(IpFamily family) {
        FakeTableKernel kernel = new FakeTableKernel(family, PRINT);
        String bad = "default/svc-1:";
        kernel.refuses = change -> change instanceof NftChange.ElementsSet(var ignored, var elements)
                && elements.stream()
                        .anyMatch(element -> element.comment().orElse("").startsWith(bad));
        NodeView node = Samples.node(family);
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < 2; n++) {
            all.put(Samples.service(family, n, 3).key(), Optional.of(Samples.service(family, n, 3)));
        }
        ViewSyncer syncer = new ViewSyncer(new NftablesSyncer(family, kernel, PRINT));
        assertThat(syncer.run(node, Map.of(key(family, 0), all.get(key(family, 0))))
                        .result())
                .isEqualTo(new Result.InForce());
        assertThat(syncer.run(node, Map.of(key(family, 1), all.get(key(family, 1))))
                        .result())
                .isInstanceOf(Result.Refused.class);
        assertThat(syncer.run(node, Map.of()).result()).isInstanceOf(Result.Refused.class);
        SyncResult report = syncer.run(node, Map.of());
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).containsOnlyKeys(key(family, 1));

        kernel.refuses = change -> false;
        syncer.retryRefused();
        assertThat(syncer.run(node, Map.of()).leftOut()).isEmpty();
        assertThat(new ViewSyncer(new NftablesSyncer(family, kernel, PRINT))
                        .run(node, all)
                        .ops())
                .isZero();
    }

    /** Further endpoints get no connections, and the other Services are none the worse. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void oneServiceMayHaveAnyNumberOfEndpoints(IpFamily family) {
        FakeTableKernel kernel = new FakeTableKernel(family, PRINT);
        NodeView node = Samples.node(family);
        List<Endpoint> endpoints = new ArrayList<>();
        for (int n = 0; n < 65_600; n++) {
            endpoints.add(Samples.endpoint(Samples.podIp(family, n / 250, n % 250), 8080));
        }
        ServiceView huge = Samples.service(family, 0, endpoints, Affinity.NONE);
        ServiceView other = Samples.service(family, 1, 3);
        Map<ServiceKey, Optional<ServiceView>> all =
                Map.of(huge.key(), Optional.of(huge), other.key(), Optional.of(other));
        ViewSyncer syncer = new ViewSyncer(new NftablesSyncer(family, kernel, PRINT));
        assertThat(syncer.run(node, all).result()).isEqualTo(new Result.InForce());
        assertThat(syncer.run(node, Map.of(other.key(), Optional.empty())).result())
                .isEqualTo(new Result.InForce());
        assertThat(syncer.run(node, Map.of(huge.key(), Optional.empty())).result())
                .isEqualTo(new Result.InForce());
        assertThat(kernel.elements()).isZero();
    }

    private static ServiceKey key(IpFamily family, int n) {
        return Samples.service(family, n, 1).key();
    }
}
