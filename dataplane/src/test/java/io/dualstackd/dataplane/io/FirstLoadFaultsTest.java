package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.FakeTableKernel.Fault;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A first load in several transactions, on a table in memory, each of which fails once. */
@Tag("slow")
final class FirstLoadFaultsTest {
    private static final ExpressionPrint PRINT = new ExpressionPrint(new PrintKey(1, 2));
    private static final int SERVICES = 600;
    private static final int ENDPOINTS = 8;
    private static final int PORTION = 40_000;
    private static final int CONTESTED = 3;

    @ParameterizedTest
    @CsvSource({"IPV4, false", "IPV4, true", "IPV6, false", "IPV6, true"})
    void whicheverFailsTheNextPassMakesUpForIt(IpFamily family, boolean contested) {
        Map<ServiceKey, Optional<ServiceView>> all = services(family, contested);
        FakeTableKernel sound = new FakeTableKernel(family, PRINT);
        inForce(pass(family, sound).run(Samples.node(family), all));
        assertThat(sound.transactions).isGreaterThan(3);
        for (Fault fault : List.of(Fault.OUTDATED, Fault.ANSWER_LOST, Fault.NOT_SENT)) {
            for (int spared = 0; spared < sound.transactions; spared++) {
                failsOnce(family, all, fault, spared, sound.elements());
            }
        }
    }

    private static void failsOnce(
            IpFamily family, Map<ServiceKey, Optional<ServiceView>> all, Fault fault, int spared, int elements) {
        FakeTableKernel kernel = new FakeTableKernel(family, PRINT);
        kernel.next = fault;
        kernel.spared = spared;
        NodeView node = Samples.node(family);
        ViewSyncer syncer = pass(family, kernel);
        assertThat(syncer.run(node, all).needsRetry())
                .as(fault + " after " + spared)
                .isTrue();
        assertThat(kernel.transactions).as("one that fails is the last").isEqualTo(spared + 1);
        inForce(syncer.run(node, Map.of()));
        assertThat(kernel.elements()).isEqualTo(elements);
        SyncResult restart = inForce(pass(family, kernel).run(node, all));
        assertThat(restart.ops()).as(fault + " after " + spared).isZero();
    }

    /** A refusal is attributed to the Service in the transaction that failed. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aServiceTheKernelRefusesIsNamedAndLeftOut(IpFamily family) {
        FakeTableKernel kernel = new FakeTableKernel(family, PRINT);
        kernel.refuses = change -> change instanceof NftChange.SetSet(NftSet set)
                && set.name().name().startsWith("affinity");
        ServiceView sticky = Samples.service(
                family,
                300,
                Samples.service(family, 300, 2).ports().getFirst().endpoints(),
                new Affinity.ClientIp(600));
        Map<ServiceKey, Optional<ServiceView>> all = services(family, false);
        all.put(sticky.key(), Optional.of(sticky));
        NodeView node = Samples.node(family);
        ViewSyncer syncer = pass(family, kernel);
        assertThat(syncer.run(node, all).result()).isInstanceOf(Result.Refused.class);
        assertThat(syncer.run(node, Map.of()).result()).isInstanceOf(Result.Refused.class);
        SyncResult report = syncer.run(node, Map.of());
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).containsOnlyKeys(sticky.key());
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void whenItCannotBeReadAgainTheNextPassDoes(IpFamily family) {
        Map<ServiceKey, Optional<ServiceView>> all = services(family, true);
        int failed = 0;
        for (int spared = 1; spared < 10; spared++) {
            FakeTableKernel kernel = new FakeTableKernel(family, PRINT);
            kernel.next = Fault.UNREADABLE;
            kernel.spared = spared;
            ViewSyncer syncer = pass(family, kernel);
            if (syncer.run(Samples.node(family), all).needsRetry()) {
                failed++;
                inForce(syncer.run(Samples.node(family), Map.of()));
            }
            kernel.next = Fault.NONE;
            assertThat(inForce(pass(family, kernel).run(Samples.node(family), all))
                            .ops())
                    .isZero();
        }
        assertThat(failed).as("times the second look failed").isEqualTo(1);
    }

    /** What it counts is all that was sent. */
    @ParameterizedTest
    @CsvSource({"IPV4, false", "IPV4, true", "IPV6, false", "IPV6, true"})
    void theReportIsOfAllTransactions(IpFamily family, boolean contested) {
        FakeTableKernel kernel = new FakeTableKernel(family, PRINT);
        Map<ServiceKey, Optional<ServiceView>> all = services(family, contested);
        SyncResult several = inForce(pass(family, kernel).run(Samples.node(family), all));
        assertThat(several.transactions()).isEqualTo(kernel.transactions).isGreaterThan(3);
        assertThat(several.messages()).isEqualTo(kernel.messages);
        assertThat(several.bytes()).isEqualTo(kernel.bytes);
        SyncResult single =
                inForce(new ViewSyncer(new NftablesSyncer(family, new FakeTableKernel(family, PRINT), PRINT))
                        .run(Samples.node(family), all));
        assertThat(single.transactions()).isEqualTo(1);
        assertThat(several.totals()).isEqualTo(single.totals());
    }

    private static ViewSyncer pass(IpFamily family, FakeTableKernel kernel) {
        return new ViewSyncer(new NftablesSyncer(family, kernel, PRINT, PORTION));
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }

    /** @param contested two Services want the same ClusterIP and port, which is found out when much went ahead */
    private static Map<ServiceKey, Optional<ServiceView>> services(IpFamily family, boolean contested) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            ServiceView service = Samples.service(family, n, ENDPOINTS);
            all.put(service.key(), Optional.of(service));
        }
        if (contested) {
            ServiceView other = Samples.claimant(Samples.service(family, CONTESTED, ENDPOINTS + 1));
            all.put(other.key(), Optional.of(other));
        }
        return all;
    }
}
