package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.witness.FreshNetNs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first load of many Services: in several transactions, of which only the last lets packets in. */
@Tag("kernel")
final class FirstLoadTest {
    private static final int SERVICES = 5_000;
    private static final int ENDPOINTS = 10;
    /** A transaction ahead of the rest may be as long as a list of elements more. */
    private static final int MOST_BYTES = (1 << 20) + (64 << 10);

    /** A pass whose batches are seen before they are sent, and a client of the same namespace. */
    private static final class Node implements AutoCloseable {
        final NetNs ns = FreshNetNs.create();
        final IpFamily family;
        final Generations generations = new Generations();
        final RuleSetGate ruleSetGate = new RuleSetGate();
        final List<Integer> batches = new ArrayList<>();
        final NftClient client = new NftClient(new NetlinkConnection(NlSocket.open(NlProtocol.NETFILTER, ns)));
        final CountingTransport transport;
        final PushedPass pass;

        Node(IpFamily family, Consumer<Node> beforeEach) throws Exception {
            this.family = family;
            transport = new CountingTransport(NlSocket.open(NlProtocol.NETFILTER, ns));
            transport.beforeEachBatch(bytes -> {
                batches.add(bytes);
                beforeEach.accept(this);
            });
            pass = new PushedPass(NftablesSyncer.of(family, () -> transport, generations, ruleSetGate));
        }

        PushedPass fresh(IpFamily family) {
            return new PushedPass(
                    NftablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns), generations, ruleSetGate));
        }

        /** The last batch was outdated, and is sent once more. */
        boolean sentAgain() {
            int sent = batches.size();
            return sent > 1 && batches.get(sent - 1).equals(batches.get(sent - 2));
        }

        boolean hasChains() {
            try {
                return !client.chains(TableSets.name(family)).isEmpty();
            } catch (NetlinkException e) {
                throw new AssertionError(e);
            }
        }

        void loseAnElement() {
            try {
                for (NftSet set : client.sets(TableSets.name(family))) {
                    List<NftElement> elements = client.elements(set.name());
                    if (!elements.isEmpty()) {
                        apply(NftBatch.begin().deleteElements(set.name(), List.of(elements.getFirst())));
                        return;
                    }
                }
                throw new AssertionError("nothing went ahead");
            } catch (NetlinkException e) {
                throw new AssertionError(e);
            }
        }

        void apply(NftBatch batch) {
            assertThat(client.apply(batch)).isInstanceOf(NftOutcome.Applied.class);
        }

        @Override
        public void close() {
            pass.close();
            client.close();
            ns.close();
        }
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void theLastTransactionMakesTheChains(IpFamily family) throws Exception {
        try (Node node =
                new Node(family, before -> assertThat(before.hasChains()).isFalse())) {
            inForce(node.pass.run(Samples.node(family), all(family)));
            assertThat(node.batches).hasSizeGreaterThan(2).allMatch(bytes -> bytes <= MOST_BYTES);
            assertThat(node.hasChains()).isTrue();
            aRestartFindsNothingToDo(node);
        }
    }

    /** A stranger makes rules of its own after each, and the other family loads, too. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void whatOthersDoToTheirRulesDoesNotStopIt(IpFamily family) throws Exception {
        try (Node node = new Node(family, before -> {
            if (!before.sentAgain()) {
                TableName strange = new TableName(NftFamily.INET, "stranger-" + before.batches.size());
                before.apply(NftBatch.begin().add(NftTable.of(strange)));
            }
        })) {
            IpFamily other = family == IpFamily.IPV4 ? IpFamily.IPV6 : IpFamily.IPV4;
            try (PushedPass others = node.fresh(other)) {
                CompletableFuture<SyncResult> load =
                        CompletableFuture.supplyAsync(() -> others.run(Samples.node(other), all(other)));
                inForce(node.pass.run(Samples.node(family), all(family)));
                inForce(load.get(1, TimeUnit.MINUTES));
            }
            aRestartFindsNothingToDo(node);
        }
    }

    /** As after {@code nft flush ruleset}: then it begins again. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aTableThatIsTakenAwayBetweenIsMadeAgain(IpFamily family) throws Exception {
        try (Node node = new Node(family, before -> {
            if (before.batches.size() == 3) {
                before.apply(NftBatch.begin().delete(TableSets.name(family)));
            }
        })) {
            assertThat(node.pass.run(Samples.node(family), all(family)).result())
                    .isEqualTo(new Result.Outdated());
            inForce(node.pass.run(Samples.node(family), Map.of()));
            aRestartFindsNothingToDo(node);
        }
    }

    /** Whoever is killed there leaves elements nobody comes to; the next start finds them, and completes. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void theNextStartCompletesWhatWentAhead(IpFamily family) throws Exception {
        try (Node node = new Node(family, before -> {
            if (before.batches.size() == 3) {
                throw new Killed();
            }
        })) {
            assertThat(CompletableFuture.supplyAsync(() -> node.pass.run(Samples.node(family), all(family))))
                    .failsWithin(1, TimeUnit.MINUTES)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(Killed.class);
            assertThat(node.hasChains()).isFalse();
            long ahead = (long) node.batches.get(0) + node.batches.get(1);
            try (PushedPass next = node.fresh(family)) {
                SyncResult rest = inForce(next.run(Samples.node(family), all(family)));
                assertThat(rest.transactions()).isEqualTo(1);
                assertThat(rest.bytes()).isLessThan(whole(family) - ahead + MOST_BYTES / 2);
            }
            aRestartFindsNothingToDo(node);
        }
    }

    /** What goes ahead is of no use to packets yet, but must not stay wrong. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void whatWasDoneToItsElementsMeanwhileIsLookedFor(IpFamily family) throws Exception {
        try (Node node = new Node(family, before -> {
            if (before.batches.size() == 3) {
                before.loseAnElement();
            }
        })) {
            inForce(node.pass.run(Samples.node(family), all(family)));
            assertThat(node.pass.forgetIfChanged()).isTrue();
            assertThat(inForce(node.pass.run(Samples.node(family), Map.of())).ops())
                    .isEqualTo(1);
            assertThat(node.pass.forgetIfChanged()).isFalse();
            aRestartFindsNothingToDo(node);
        }
    }

    /** As by a second daemon, or from a listing that was saved. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aTableSomebodyElseCompletedIsReadAgain(IpFamily family) throws Exception {
        try (Node node = new Node(family, before -> {
            if (before.batches.size() == 3) {
                try (PushedPass other = before.fresh(family)) {
                    inForce(other.run(Samples.node(family), all(family)));
                }
            }
        })) {
            assertThat(node.pass.run(Samples.node(family), all(family)).result())
                    .isEqualTo(new Result.Outdated());
            assertThat(inForce(node.pass.run(Samples.node(family), Map.of())).ops())
                    .isZero();
        }
    }

    /** Bytes of a whole load. */
    private static long whole(IpFamily family) throws Exception {
        try (Node node = new Node(family, before -> {})) {
            SyncResult report = inForce(node.pass.run(Samples.node(family), all(family)));
            assertThat(report.transactions()).isEqualTo(node.batches.size());
            assertThat(report.bytes())
                    .isEqualTo(node.batches.stream().mapToLong(bytes -> bytes).sum());
            return report.bytes();
        }
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static void aRestartFindsNothingToDo(Node node) {
        try (PushedPass fresh = node.fresh(node.family)) {
            SyncResult report = inForce(fresh.run(Samples.node(node.family), all(node.family)));
            assertThat(report.ops()).isZero();
            assertThat(report.messages()).isZero();
        }
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }

    private static Map<ServiceKey, Optional<ServiceView>> all(IpFamily family) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            ServiceView service = Samples.service(family, n, ENDPOINTS);
            all.put(service.key(), Optional.of(service));
        }
        return all;
    }
}
