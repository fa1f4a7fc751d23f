package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Service that the kernel took once and refuses now keeps the rules that the kernel took. */
class RefusedServiceStaysTest {
    private static final IpFamily FAMILY = IpFamily.IPV4;
    private static final NodeView NODE = Samples.node(FAMILY);
    private static final ServiceView BEFORE = Samples.service(FAMILY, 1, 3);
    private static final ServiceView OTHER = Samples.service(FAMILY, 2, 2);
    private static final ServiceKey KEY = BEFORE.key();

    private static ServiceView wanted(boolean sticky) {
        ServiceView more = Samples.service(FAMILY, 1, 4);
        return sticky
                ? Samples.service(FAMILY, 1, more.ports().getFirst().endpoints(), new Affinity.ClientIp(60))
                : more;
    }

    private static Map<ServiceKey, Optional<ServiceView>> changes(ServiceView... views) {
        Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
        for (ServiceView view : views) {
            changes.put(view.key(), Optional.of(view));
        }
        return changes;
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }

    private static void leftOut(ViewSyncer syncer, Map<ServiceKey, Optional<ServiceView>> changes) {
        assertThat(syncer.run(NODE, changes).result()).isInstanceOf(Result.Refused.class);
        assertThat(syncer.run(NODE, Map.of()).result()).isInstanceOf(Result.Refused.class);
        SyncResult report = inForce(syncer.run(NODE, Map.of()));
        assertThat(report.leftOut()).containsOnlyKeys(KEY);
        assertThat(report.kept()).containsExactly(KEY);
    }

    /** What the kernel holds, by a fresh comparison with what was wanted before. */
    private interface Kernel {
        ViewSyncer start();

        void refuse(boolean refuses);

        Object content();
    }

    private static final class Iptables implements Kernel {
        private final FakeKernel kernel = new FakeKernel();

        @Override
        public ViewSyncer start() {
            return new ViewSyncer(new IptablesSyncer(kernel, Samples.layoutByText()));
        }

        @Override
        public void refuse(boolean refuses) {
            kernel.refuse(op -> refuses
                    && (op instanceof Op.AppendRule || op instanceof Op.CreateChain)
                    && op.origin().equals(new Origin.OfService(KEY)));
        }

        @Override
        public Object content() {
            Map<Object, Object> content = new HashMap<>();
            kernel.content()
                    .forEach((chain, rules) -> content.put(
                            chain, rules.stream().map(Object::toString).sorted().toList()));
            return content;
        }
    }

    private static final class Nftables implements Kernel {
        private static final ExpressionPrint PRINT = new ExpressionPrint(new PrintKey(1, 2));
        private final FakeTableKernel kernel = new FakeTableKernel(FAMILY, PRINT);

        @Override
        public ViewSyncer start() {
            return new ViewSyncer(new NftablesSyncer(FAMILY, kernel, PRINT));
        }

        @Override
        public void refuse(boolean refuses) {
            // Endpoint 4, which only the new version has; and whatever it needs for affinity.
            kernel.refuses = change -> refuses && isNew(change);
        }

        private static boolean isNew(NftChange change) {
            return switch (change) {
                case NftChange.ElementsSet(var set, var elements) ->
                    elements.stream()
                            .anyMatch(element -> element.comment().orElse("").startsWith("default/svc-1:")
                                    || element.data().toString().contains("0b000104"));
                case NftChange.SetSet(var set) -> set.name().name().startsWith("affinity");
                default -> false;
            };
        }

        @Override
        public Object content() {
            SyncResult same = start().run(NODE, changes(BEFORE, OTHER));
            return same.ops();
        }
    }

    private static Kernel kernel(String mode) {
        return mode.equals("nftables") ? new Nftables() : new Iptables();
    }

    @ParameterizedTest
    @ValueSource(strings = {"iptables", "nftables"})
    void refusedServiceKeepsItsRules(String mode) {
        Kernel kernel = kernel(mode);
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
            Object right = kernel.content();
            kernel.refuse(true);
            leftOut(syncer, changes(wanted(false)));

            syncer.invalidateAll();
            SyncResult compared = inForce(syncer.run(NODE, Map.of()));
            assertThat(compared.ops()).as("a full comparison leaves it alone").isZero();
            assertThat(compared.kept()).containsExactly(KEY);

            syncer.retryRefused();
            assertThat(syncer.run(NODE, Map.of()).result()).isInstanceOf(Result.Refused.class);
            assertThat(syncer.run(NODE, Map.of()).result()).isInstanceOf(Result.Refused.class);
            assertThat(inForce(syncer.run(NODE, Map.of())).ops()).isZero();

            inForce(syncer.run(NODE, changes(Samples.service(FAMILY, 3, 1))));
            inForce(syncer.run(NODE, Map.of(Samples.service(FAMILY, 3, 1).key(), Optional.empty())));
            kernel.refuse(false);
            assertThat(kernel.content()).isEqualTo(mode.equals("nftables") ? Integer.valueOf(0) : right);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"iptables", "nftables"})
    void itIsChangedOnceTheKernelTakesIt(String mode) {
        Kernel kernel = kernel(mode);
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
            kernel.refuse(true);
            leftOut(syncer, changes(wanted(false)));
            kernel.refuse(false);
            syncer.retryRefused();
            SyncResult taken = inForce(syncer.run(NODE, Map.of()));
            assertThat(taken.leftOut()).isEmpty();
            assertThat(taken.kept()).isEmpty();
            try (ViewSyncer next = kernel.start()) {
                assertThat(inForce(next.run(NODE, changes(wanted(false), OTHER)))
                                .ops())
                        .isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"iptables", "nftables"})
    void itGoesWhenItIsDeleted(String mode) {
        Kernel kernel = kernel(mode);
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
            kernel.refuse(true);
            leftOut(syncer, changes(wanted(false)));
            SyncResult gone = inForce(syncer.run(NODE, Map.of(KEY, Optional.empty())));
            assertThat(gone.leftOut()).isEmpty();
            try (ViewSyncer next = kernel.start()) {
                assertThat(inForce(next.run(NODE, changes(OTHER))).ops()).isZero();
            }
        }
    }

    /** A daemon that starts knows nothing of what was taken before: what is there is what was taken. */
    @ParameterizedTest
    @ValueSource(strings = {"iptables", "nftables"})
    void aRestartKeepsWhatIsFound(String mode) {
        Kernel kernel = kernel(mode);
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
        }
        Object right = kernel.content();
        kernel.refuse(true);
        try (ViewSyncer syncer = kernel.start()) {
            leftOut(syncer, changes(wanted(false), OTHER));
        }
        kernel.refuse(false);
        assertThat(kernel.content()).isEqualTo(mode.equals("nftables") ? Integer.valueOf(0) : right);
    }

    /** While it is refused nothing is removed, because its rules may lead anywhere; afterwards what no Service wants goes. */
    @ParameterizedTest
    @CsvSource({"iptables, false", "iptables, true", "nftables, false", "nftables, true"})
    void nothingOfWhatWasFoundIsLeftAfterwards(String mode, boolean deleted) {
        Affinity sticky = new Affinity.ClientIp(60);
        List<Endpoint> endpoints = wanted(false).ports().getFirst().endpoints();
        ServiceView former = Samples.service(FAMILY, 1, endpoints.subList(0, 3), sticky);
        ServiceView now = Samples.service(FAMILY, 1, endpoints.subList(1, 4), sticky);
        Kernel kernel = kernel(mode);
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(former, OTHER)));
        }
        kernel.refuse(true);
        try (ViewSyncer syncer = kernel.start()) {
            leftOut(syncer, changes(now, OTHER));
            kernel.refuse(false);
            inForce(syncer.run(NODE, deleted ? Map.of(KEY, Optional.empty()) : changes(now)));
        }
        try (ViewSyncer next = kernel.start()) {
            assertThat(inForce(next.run(NODE, deleted ? changes(OTHER) : changes(now, OTHER)))
                            .ops())
                    .isZero();
        }
    }

    /** Nothing it had can be in its way when it comes to want something else. */
    @Test
    void alsoWhenItWantsSomethingElseAltogether() {
        Kernel kernel = new Nftables();
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
            kernel.refuse(true);
            leftOut(syncer, changes(wanted(true)));
            kernel.refuse(false);
            assertThat(kernel.content()).isEqualTo(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"iptables", "nftables"})
    void oneThatWasNeverTakenHasNothing(String mode) {
        Kernel kernel = kernel(mode);
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(OTHER)));
            kernel.refuse(true);
            assertThat(syncer.run(NODE, changes(wanted(false))).result()).isInstanceOf(Result.Refused.class);
            assertThat(syncer.run(NODE, Map.of()).result()).isInstanceOf(Result.Refused.class);
            SyncResult report = inForce(syncer.run(NODE, Map.of()));
            assertThat(report.leftOut()).containsOnlyKeys(KEY);
            assertThat(report.kept()).isEmpty();
            try (ViewSyncer next = kernel.start()) {
                assertThat(inForce(next.run(NODE, changes(OTHER))).ops()).isZero();
            }
        }
    }

    /** A chain of a refused Service takes a full comparison, and the change of another one starts from what that found. */
    @Test
    void aChangeTogetherWithItsRepair() {
        Nftables kernel = new Nftables();
        ServiceView sticky =
                Samples.service(FAMILY, 1, BEFORE.ports().getFirst().endpoints(), new Affinity.ClientIp(60));
        ServiceView third = Samples.service(FAMILY, 3, 1);
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(sticky, OTHER)));
            kernel.refuse(true);
            leftOut(syncer, changes(wanted(true)));
            syncer.invalidate(Set.of(new ChangedObject.InRules(kernel.kernel.flush("endpoint-"))));
            SyncResult both = inForce(syncer.run(NODE, changes(third)));
            assertThat(both.comparedAll()).isTrue();
            assertThat(both.kept()).containsExactly(KEY);
            kernel.refuse(false);
            inForce(syncer.run(NODE, changes(sticky)));
            inForce(syncer.run(NODE, Map.of(third.key(), Optional.empty())));
            try (ViewSyncer next = kernel.start()) {
                assertThat(inForce(next.run(NODE, changes(sticky, OTHER))).ops())
                        .isZero();
            }
        }
    }

    /** It gives the address up with a change that the kernel refuses. */
    @ParameterizedTest
    @CsvSource({"iptables, false", "iptables, true", "nftables, false", "nftables, true"})
    void anAddressThatItHadGoesToItsNewOwner(String mode, boolean sticky) {
        Ip address = Ip.parse("203.0.113.1");
        Affinity affinity = sticky ? new Affinity.ClientIp(60) : Affinity.NONE;
        ServiceView other = Samples.service(FAMILY, 2, OTHER.ports().getFirst().endpoints(), affinity);
        ServiceView owner = answeringAt(address, other);
        Kernel kernel = kernel(mode);
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(answeringAt(address, BEFORE), other)));
            kernel.refuse(true);
            leftOut(syncer, changes(wanted(false)));
            assertThat(inForce(syncer.run(NODE, changes(owner))).leftOut()).containsOnlyKeys(KEY);
            kernel.refuse(false);
            assertThat(inForce(syncer.run(NODE, changes(wanted(false)))).leftOut())
                    .isEmpty();
            try (ViewSyncer fresh = kernel.start()) {
                assertThat(inForce(fresh.run(NODE, changes(wanted(false), owner)))
                                .ops())
                        .isZero();
            }
        }
    }

    private static ServiceView answeringAt(Ip externalIp, ServiceView service) {
        PortView port = service.ports().getFirst();
        ServicePort of = port.port();
        ServicePort more = new ServicePort(
                of.name(),
                of.clusterIp(),
                of.port(),
                of.nodePort(),
                List.of(externalIp),
                of.loadBalancerIps(),
                of.sourceRanges(),
                of.affinity(),
                of.internalPolicy(),
                of.externalPolicy(),
                of.healthCheckNodePort());
        return new ServiceView(service.key(), FAMILY, List.of(new PortView(more, port.endpoints())));
    }

    /** One of three endpoints is removed by another program, and the kernel does not take it back. */
    @Test
    void theOtherEndpointsStayWhenTheKernelDoesNotTakeOneBack() {
        Nftables kernel = new Nftables();
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
            syncer.invalidate(withoutTheFirst(kernel));
            leftOut(syncer, Map.of());
            othersStay(kernel);
            syncer.invalidateAll();
            assertThat(inForce(syncer.run(NODE, Map.of())).ops()).isZero();
            othersStay(kernel);
            itComesBack(kernel, syncer);
        }
    }

    @Test
    void theOtherEndpointsStayWhenTheDaemonStarts() {
        Nftables kernel = new Nftables();
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
        }
        assertThat(withoutTheFirst(kernel)).isNotEmpty();
        try (ViewSyncer syncer = kernel.start()) {
            leftOut(syncer, changes(BEFORE, OTHER));
            othersStay(kernel);
            itComesBack(kernel, syncer);
        }
    }

    @Test
    void itsNextChangeIsInForceAtOnce() {
        Nftables kernel = new Nftables();
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
            syncer.invalidate(withoutTheFirst(kernel));
            leftOut(syncer, Map.of());
            kernel.refuse(false);
            assertThat(inForce(syncer.run(NODE, changes(wanted(false)))).leftOut())
                    .isEmpty();
            inForce(syncer.run(NODE, changes(BEFORE)));
            assertThat(kernel.content()).isEqualTo(0);
        }
    }

    @Test
    void itIsDeletedAtOnce() {
        Nftables kernel = new Nftables();
        try (ViewSyncer syncer = kernel.start()) {
            inForce(syncer.run(NODE, changes(BEFORE, OTHER)));
            syncer.invalidate(withoutTheFirst(kernel));
            leftOut(syncer, Map.of());
            inForce(syncer.run(NODE, Map.of(KEY, Optional.empty())));
            try (ViewSyncer next = kernel.start()) {
                assertThat(inForce(next.run(NODE, changes(OTHER))).ops()).isZero();
            }
        }
    }

    private static Set<ChangedObject> withoutTheFirst(Nftables kernel) {
        String first = endpoint(1);
        kernel.kernel.refuses = change -> change instanceof NftChange.ElementsSet(var set, var elements)
                && elements.stream()
                        .anyMatch(element -> element.data().toString().contains(first));
        return kernel.kernel.removeElements(first);
    }

    /** The data of an element with an endpoint of {@link #BEFORE}, 11.0.1.{@code number}. */
    private static String endpoint(int number) {
        return "0b00010" + number;
    }

    private static void othersStay(Nftables kernel) {
        assertThat(kernel.kernel.elementsWith(endpoint(1))).isZero();
        // Of its cluster IP and its node port.
        assertThat(kernel.kernel.elementsWith(endpoint(2))).isEqualTo(2);
        assertThat(kernel.kernel.elementsWith(endpoint(3))).isEqualTo(2);
    }

    private static void itComesBack(Nftables kernel, ViewSyncer syncer) {
        kernel.refuse(false);
        syncer.retryRefused();
        inForce(syncer.run(NODE, Map.of()));
        assertThat(kernel.content()).isEqualTo(0);
    }
}
