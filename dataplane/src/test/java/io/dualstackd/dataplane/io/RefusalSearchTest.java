package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernel refuses a transaction and does not say whose it is: all Services but those it refuses come into force. */
@Tag("slow")
class RefusalSearchTest {
    private static final IpFamily FAMILY = IpFamily.IPV4;
    private static final NodeView NODE = Samples.node(FAMILY);
    private static final int SERVICES = 300;
    private static final Set<Integer> REFUSED = Set.of(7, 123);
    private static final int BEFORE = 3;
    private static final int AFTER = 4;

    /** Passes in a row that may end with a refusal. */
    private static final int PASSES = 3;

    /** What is refused, and in which words. */
    enum Refused {
        /** The whole transaction: out of memory. */
        IPTABLES_BATCH,
        /** The whole transaction: out of memory. */
        NFTABLES_BATCH,
        /** A message with elements of many Services, and not which of them. */
        NFTABLES_MESSAGE,
        /** The same, while a first load goes ahead in portions. */
        NFTABLES_PORTIONS;

        private Kernel kernel() {
            return switch (this) {
                case IPTABLES_BATCH -> new Iptables();
                case NFTABLES_BATCH -> new Nftables(true, 1 << 20);
                case NFTABLES_MESSAGE -> new Nftables(false, 1 << 20);
                case NFTABLES_PORTIONS -> new Nftables(false, 4_000);
            };
        }
    }

    private interface Kernel {
        ViewSyncer start();

        void refuse(Set<Integer> services);

        /** Transactions sent so far. */
        int transactions();
    }

    private static final class Iptables implements Kernel {
        private final FakeKernel kernel = new FakeKernel();

        @Override
        public ViewSyncer start() {
            return new ViewSyncer(new IptablesSyncer(kernel, Samples.layoutByText()));
        }

        @Override
        public void refuse(Set<Integer> services) {
            Set<Origin> origins = new HashSet<>();
            services.forEach(n -> origins.add(new Origin.OfService(key(n))));
            kernel.exhaust(op ->
                    (op instanceof Op.AppendRule || op instanceof Op.CreateChain) && origins.contains(op.origin()));
        }

        @Override
        public int transactions() {
            return kernel.transactions;
        }
    }

    private static final class Nftables implements Kernel {
        private static final ExpressionPrint PRINT = new ExpressionPrint(new PrintKey(1, 2));
        private final FakeTableKernel kernel = new FakeTableKernel(FAMILY, PRINT);
        private final boolean batch;
        private final int portion;

        Nftables(boolean batch, int portion) {
            this.batch = batch;
            this.portion = portion;
        }

        @Override
        public ViewSyncer start() {
            return new ViewSyncer(new NftablesSyncer(FAMILY, kernel, PRINT, portion));
        }

        @Override
        public void refuse(Set<Integer> services) {
            if (batch) {
                kernel.exhausts = change -> writes(change, services);
            } else {
                kernel.refuses = change -> writes(change, services);
            }
        }

        /** Names of Services stand at elements that stay; their fourth endpoint, which is new, in the address. */
        private static boolean writes(NftChange change, Set<Integer> services) {
            return change instanceof NftChange.ElementsSet(var set, var elements)
                    && elements.stream()
                            .anyMatch(element -> services.stream()
                                    .anyMatch(n -> element.comment().orElse("").startsWith("default/svc-" + n + ":")
                                            || element.data()
                                                    .toString()
                                                    .contains("%08x".formatted(0x0b000000 + 256 * n + 4))));
        }

        @Override
        public int transactions() {
            return kernel.transactions;
        }
    }

    private static ServiceKey key(int n) {
        return Samples.service(FAMILY, n, 1).key();
    }

    private static Map<ServiceKey, Optional<ServiceView>> services(int endpoints) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        IntStream.range(0, SERVICES).forEach(n -> all.put(key(n), Optional.of(Samples.service(FAMILY, n, endpoints))));
        return all;
    }

    /** @param ofCulprits endpoints; 0 for none of these Services */
    private static Map<ServiceKey, Optional<ServiceView>> services(int endpoints, int ofCulprits) {
        Map<ServiceKey, Optional<ServiceView>> all = services(endpoints);
        for (int n : REFUSED) {
            all.put(key(n), ofCulprits == 0 ? Optional.empty() : Optional.of(Samples.service(FAMILY, n, ofCulprits)));
        }
        return all;
    }

    private static List<ServiceKey> refused() {
        return REFUSED.stream().map(RefusalSearchTest::key).toList();
    }

    private static SyncResult inForceSoon(ViewSyncer syncer, Map<ServiceKey, Optional<ServiceView>> changes) {
        SyncResult report = syncer.run(NODE, changes);
        for (int n = 1; n < PASSES && report.needsRetry(); n++) {
            assertThat(report.result()).isInstanceOf(Result.Refused.class);
            report = syncer.run(NODE, Map.of());
        }
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }

    private static void holds(Kernel kernel, Map<ServiceKey, Optional<ServiceView>> wanted) {
        try (ViewSyncer fresh = kernel.start()) {
            SyncResult report = fresh.run(NODE, wanted);
            assertThat(report.result()).isEqualTo(new Result.InForce());
            assertThat(report.ops()).as("what is not as it should be").isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void atTheFirstLoad(Refused refused) {
        Kernel kernel = refused.kernel();
        kernel.refuse(REFUSED);
        try (ViewSyncer syncer = kernel.start()) {
            SyncResult report = inForceSoon(syncer, services(BEFORE));
            assertThat(report.leftOut()).containsOnlyKeys(refused());
            assertThat(report.leftOut().values())
                    .allMatch(words -> words.contains("ENOMEM") || words.contains("EOPNOTSUPP"));
            assertThat(report.kept()).isEmpty();
            assertThat(kernel.transactions()).as("transactions").isLessThan(60);

            SyncResult another =
                    syncer.run(NODE, Map.of(key(SERVICES), Optional.of(Samples.service(FAMILY, SERVICES, 2))));
            assertThat(another.result()).isEqualTo(new Result.InForce());
            assertThat(another.comparedAll()).isFalse();
            syncer.run(NODE, Map.of(key(SERVICES), Optional.empty()));
            holds(kernel, services(BEFORE, 0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void atAChangeOfAll(Refused refused) {
        Kernel kernel = refused.kernel();
        try (ViewSyncer syncer = kernel.start()) {
            inForceSoon(syncer, services(BEFORE));
            kernel.refuse(REFUSED);
            SyncResult report = inForceSoon(syncer, services(AFTER));
            assertThat(report.leftOut()).containsOnlyKeys(refused());
            assertThat(report.kept()).containsExactlyInAnyOrderElementsOf(refused());
            holds(kernel, services(AFTER, BEFORE));

            syncer.invalidateAll();
            assertThat(syncer.run(NODE, Map.of()).ops())
                    .as("a full comparison leaves it alone")
                    .isZero();
            kernel.refuse(Set.of());
            syncer.retryRefused();
            assertThat(inForceSoon(syncer, Map.of()).leftOut()).isEmpty();
            holds(kernel, services(AFTER));
        }
    }

    /** Only those that change are looked at. */
    @ParameterizedTest
    @EnumSource
    void atAChangeOfThree(Refused refused) {
        Kernel kernel = refused.kernel();
        try (ViewSyncer syncer = kernel.start()) {
            inForceSoon(syncer, services(BEFORE));
            kernel.refuse(REFUSED);
            int before = kernel.transactions();
            Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
            for (int n : List.of(7, 8, 123)) {
                changes.put(key(n), Optional.of(Samples.service(FAMILY, n, AFTER)));
            }
            SyncResult report = inForceSoon(syncer, changes);
            assertThat(report.leftOut()).containsOnlyKeys(refused());
            assertThat(kernel.transactions() - before).as("transactions").isLessThan(10);
            Map<ServiceKey, Optional<ServiceView>> right = services(BEFORE);
            right.put(key(8), changes.get(key(8)));
            holds(kernel, right);
        }
    }

    @ParameterizedTest
    @EnumSource
    void atARestart(Refused refused) {
        Kernel kernel = refused.kernel();
        try (ViewSyncer syncer = kernel.start()) {
            inForceSoon(syncer, services(BEFORE));
        }
        kernel.refuse(REFUSED);
        try (ViewSyncer syncer = kernel.start()) {
            SyncResult report = inForceSoon(syncer, services(AFTER));
            assertThat(report.leftOut()).containsOnlyKeys(refused());
            assertThat(report.kept()).containsExactlyInAnyOrderElementsOf(refused());
            syncer.invalidateAll();
            assertThat(inForceSoon(syncer, Map.of()).kept()).containsExactlyInAnyOrderElementsOf(refused());
        }
        holds(kernel, services(AFTER, BEFORE));
    }

    /** A Service that needs nothing but an endpoint that another program removed is not refused. */
    @Test
    void aMissingEndpointIsNoReasonToLeaveItsServiceOut() {
        Nftables kernel = new Nftables(true, 1 << 20);
        try (ViewSyncer syncer = kernel.start()) {
            inForceSoon(syncer, services(BEFORE));
        }
        kernel.refuse(REFUSED);
        assertThat(kernel.kernel.removeElements("%08x".formatted(0x0b000000 + 256 * 50 + 2)))
                .isNotEmpty();
        try (ViewSyncer syncer = kernel.start()) {
            assertThat(inForceSoon(syncer, services(BEFORE, AFTER)).leftOut()).containsOnlyKeys(refused());
        }
        holds(kernel, services(BEFORE));
    }

    /** The work of one pass is bounded, what was in force stays, and when the reason has passed, all is well. */
    @ParameterizedTest
    @EnumSource
    void whenEverythingIsRefusedForATime(Refused refused) {
        Kernel kernel = refused.kernel();
        try (ViewSyncer syncer = kernel.start()) {
            inForceSoon(syncer, services(BEFORE));
            kernel.refuse(Set.copyOf(IntStream.range(0, SERVICES).boxed().toList()));
            syncer.run(NODE, services(AFTER));
            int before = kernel.transactions();
            syncer.run(NODE, Map.of());
            assertThat(kernel.transactions() - before)
                    .as("transactions of a pass")
                    .isLessThan(300);
            try (ViewSyncer other = kernel.start()) {
                assertThat(other.run(NODE, services(BEFORE)).ops())
                        .as("rules lost")
                        .isZero();
            }
            kernel.refuse(Set.of());
            inForceSoon(syncer, Map.of());
            syncer.retryRefused();
            assertThat(inForceSoon(syncer, Map.of()).leftOut()).isEmpty();
            holds(kernel, services(AFTER));
        }
    }

    /** Services that want the same destination are tried like others. */
    @ParameterizedTest
    @EnumSource
    void besideAContestedDestination(Refused refused) {
        Kernel kernel = refused.kernel();
        kernel.refuse(REFUSED);
        ServiceView rival = Samples.claimant(Samples.service(FAMILY, 9, BEFORE));
        Map<ServiceKey, Optional<ServiceView>> all = services(BEFORE);
        all.put(rival.key(), Optional.of(rival));
        try (ViewSyncer syncer = kernel.start()) {
            assertThat(inForceSoon(syncer, all).leftOut()).containsOnlyKeys(refused());
        }
        Map<ServiceKey, Optional<ServiceView>> right = services(BEFORE, 0);
        right.put(rival.key(), Optional.of(rival));
        holds(kernel, right);
    }
}
