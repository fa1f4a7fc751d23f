package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.checkpoint.CheckpointFile;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that starts from the checkpoint of the former one reads no elements, unless the rule set was changed in between. */
@Tag("kernel")
final class ResumptionTest {
    private static final IpFamily FAMILY = IpFamily.IPV4;
    private static final NodeView NODE = Samples.node(FAMILY);
    private static final int RESTARTS = 60;
    private static final int SERVICES = 12;

    @TempDir
    Path state;

    private final List<String> problems = new ArrayList<>();

    @Test
    void noElementIsRead() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            try (OneRun restarted = new OneRun(ns)) {
                SyncResult result = restarted.start(NODE, services(5));
                assertThat(result.comparedAll()).isTrue();
                assertThat(result.messages()).isZero();
                assertThat(result.totals().services()).isEqualTo(5);
                assertThat(result.totals().rules()).isPositive();
                assertThat(restarted.socket.elements).isZero();

                assertThat(restarted.run(NODE, services(6)).messages()).isPositive();
                assertThat(restarted.socket.elements).isZero();
            }
            assertRight(ns, NODE, services(6));
        }
        assertThat(problems).isEmpty();
    }

    /** The file says what is in force at the end of the process, so it must not be there any more when rules change. */
    @Test
    void theFileIsUsedOnce() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            assertThat(files()).hasSize(1);
            try (OneRun restarted = new OneRun(ns)) {
                restarted.start(NODE, services(5));
                assertThat(files()).isEmpty();
            }
        }
    }

    /** Services, node and policies all change while no process runs. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void differencesAreWritten(IpFamily family) throws Exception {
        Random random = new Random(11);
        RandomServices services = new RandomServices(random, family);
        Map<ServiceKey, Optional<ServiceView>> wanted = new HashMap<>();
        int resumed = 0;
        try (NetNs ns = FreshNetNs.create()) {
            for (int restart = 0; restart < RESTARTS; restart++) {
                String which = "restart " + restart;
                NodeView node = services.node();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    int n = random.nextInt(SERVICES);
                    wanted.put(
                            RandomServices.key(n),
                            random.nextInt(5) == 0 ? Optional.empty() : Optional.of(services.service(n)));
                }
                try (OneRun process = new OneRun(ns, TableForm.plain(family))) {
                    inForce(process.start(node, wanted));
                    resumed += process.socket.elements == 0 ? 1 : 0;
                    for (int i = random.nextInt(3); i > 0; i--) {
                        int n = random.nextInt(SERVICES);
                        wanted.put(RandomServices.key(n), Optional.of(services.service(n)));
                        inForce(process.run(node, wanted));
                    }
                    assertThat(fresh(ns, family, node, wanted)).as(which).isZero();
                    process.syncer.saveCheckpoint(() -> false);
                }
            }
        }
        // The first start has nothing to go on from, and two Services that name one address make a full comparison
        // necessary.
        assertThat(resumed).isGreaterThan(RESTARTS / 3);
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 }",
                "flush ruleset",
                "add table ip stranger",
            })
    void allIsReadAfterAnyChange(String script) throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            new NetNsCommands(ns).feed(script, "nft", "-f", "-");
            try (OneRun restarted = new OneRun(ns)) {
                inForce(restarted.start(NODE, services(5)));
            }
            assertRight(ns, NODE, services(5));
        }
    }

    /** Another program comes between the start of the process and its first sync. */
    @Test
    void allIsReadAfterAChangeDuringTheStart() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            try (OneRun restarted = new OneRun(ns)) {
                restarted.syncer.readAhead();
                new NetNsCommands(ns)
                        .feed("delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 }", "nft", "-f", "-");
                inForce(restarted.run(NODE, services(5)));
                assertThat(restarted.socket.elements).isPositive();
            }
            assertRight(ns, NODE, services(5));
        }
    }

    /** The kernel may have what this process does not know of. */
    @Test
    void noCheckpointAfterAnUnknownChange() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                OneRun process = new OneRun(ns)) {
            inForce(process.start(NODE, services(5)));
            new NetNsCommands(ns).feed("add table ip stranger", "nft", "-f", "-");
            process.syncer.saveCheckpoint(() -> false);
            assertThat(files()).isEmpty();
        }
    }

    /** Asked after the generation was read: what is changed later has another one. */
    @Test
    void noCheckpointWhileAChangeIsToBeRepaired() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                OneRun process = new OneRun(ns)) {
            inForce(process.start(NODE, services(5)));
            process.syncer.saveCheckpoint(() -> true);
            assertThat(files()).isEmpty();
        }
    }

    @Test
    void anotherFormOfTheTableIsReported() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            try (OneRun counting = new OneRun(ns, TableForm.countingEndpoints(FAMILY))) {
                inForce(counting.start(NODE, services(5)));
            }
        }
        assertThat(problems).singleElement().asString().contains("not used: the table has another layout");
    }

    @Test
    void aFileThatWasCutIsReported() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            Path file = files().getFirst();
            byte[] bytes = Files.readAllBytes(file);
            for (int length : new int[] {0, 3, 100, bytes.length / 2, bytes.length - 1}) {
                problems.clear();
                Files.write(file, Arrays.copyOf(bytes, length));
                try (OneRun restarted = new OneRun(ns)) {
                    inForce(restarted.start(NODE, services(5)));
                    assertThat(restarted.socket.elements).isPositive();
                }
                assertThat(problems)
                        .as("%d bytes", length)
                        .singleElement()
                        .asString()
                        .contains("is not used: ");
            }
        }
    }

    /** The name is taken by a folder, as it would be by nothing but a mistake; any other error is handled alike. */
    @Test
    void nothingIsLeftBehindWhenTheFileCannotBeWritten() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            Path inTheWay = Files.createDirectories(state.resolve("nftables-ipv4.checkpoint/in-the-way"));
            try (OneRun run = new OneRun(ns)) {
                inForce(run.start(NODE, services(5)));
                problems.clear();
                run.syncer.saveCheckpoint(() -> false);
            }
            assertThat(problems).singleElement().asString().contains("cannot be written: ");
            assertThat(files()).containsExactly(inTheWay.getParent());
        }
    }

    /** Another program removes what the first transaction is about to change. */
    @Test
    void allIsReadWhenTheKernelRefusesTheDifference() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            try (OneRun restarted = new OneRun(ns)) {
                restarted.socket.beforeBatch = () -> new NetNsCommands(ns)
                        .feed("delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 2 }", "nft", "-f", "-");
                Map<ServiceKey, Optional<ServiceView>> fewer = services(5);
                ServiceView smaller = Samples.service(FAMILY, 0, 2);
                fewer.put(smaller.key(), Optional.of(smaller));
                inForce(restarted.start(NODE, fewer));
                assertThat(restarted.socket.elements).isPositive();
                assertRight(ns, NODE, fewer);
            }
        }
    }

    /** The change is accounted for, because the reconciler was told of it. */
    @Test
    void allIsReadWhenTheReconcilerIsToldOfAChangeDuringTheStart() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            try (OneRun restarted = new OneRun(ns);
                    NftClient kernel = NftClient.open(ns)) {
                restarted.generations.accountFrom(kernel.generation().id());
                restarted.syncer.readAhead();
                new NetNsCommands(ns)
                        .feed("delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 }", "nft", "-f", "-");
                Bytes destination = Keys.serviceIp(Samples.clusterIp(FAMILY, 0), Proto.TCP, 80);
                restarted.syncer.invalidate(Set.of(new ChangedObject.InElements(
                        TableSets.name(FAMILY).set(Lane.CLUSTER.mapName()), Set.of(Keys.slot(destination, 1)))));
                restarted.generations.account(kernel.generation().id());
                inForce(restarted.run(NODE, services(5)));
            }
            assertRight(ns, NODE, services(5));
        }
    }

    @Test
    void aDamagedFileIsReported() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            runOnce(ns, services(5));
            Path file = files().getFirst();
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 20] ^= 1;
            Files.write(file, bytes);
            try (OneRun restarted = new OneRun(ns)) {
                inForce(restarted.start(NODE, services(5)));
                assertThat(restarted.socket.elements).isPositive();
            }
        }
        assertThat(problems).singleElement().asString().contains("not used: its checksum is wrong");
    }

    /** Another namespace can have a rule set of the same generation. */
    @Test
    void theFileOfAnotherNamespaceIsNotUsed() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NetNs other = FreshNetNs.create()) {
            runOnce(ns, services(5));
            Path file = files().getFirst();
            byte[] bytes = Files.readAllBytes(file);
            runOnce(other, services(5));
            Files.write(file, bytes);
            try (OneRun restarted = new OneRun(other)) {
                inForce(restarted.start(NODE, services(5)));
                assertThat(restarted.socket.elements).isPositive();
            }
        }
        assertThat(problems).isEmpty();
    }

    private void runOnce(NetNs ns, Map<ServiceKey, Optional<ServiceView>> services) throws Exception {
        try (OneRun process = new OneRun(ns)) {
            inForce(process.start(NODE, services));
            process.syncer.saveCheckpoint(() -> false);
        }
    }

    private List<Path> files() throws Exception {
        try (var files = Files.list(state)) {
            return files.toList();
        }
    }

    private static void assertRight(NetNs ns, NodeView node, Map<ServiceKey, Optional<ServiceView>> services)
            throws Exception {
        assertThat(fresh(ns, node.family(), node, services)).isZero();
    }

    /** The messages of a comparison with everything that is in the kernel. */
    private static int fresh(NetNs ns, IpFamily family, NodeView node, Map<ServiceKey, Optional<ServiceView>> services)
            throws Exception {
        NlTransport socket = NlSocket.open(NlProtocol.NETFILTER, ns);
        try (ViewSyncer fresh = new ViewSyncer(NftablesSyncer.of(family, () -> socket))) {
            return inForce(fresh.run(node, services)).messages();
        }
    }

    private static Map<ServiceKey, Optional<ServiceView>> services(int count) {
        return Samples.services(FAMILY, count);
    }

    private static SyncResult inForce(SyncResult result) {
        assertThat(result.result()).isEqualTo(new Result.InForce());
        return result;
    }

    /** One process after the other on the same kernel. */
    private final class OneRun implements AutoCloseable {
        final CountingElements socket;
        final Generations generations = new Generations();
        final NftablesSyncer syncer;
        private final ViewSyncer views;

        OneRun(NetNs ns) throws Exception {
            this(ns, TableForm.plain(FAMILY));
        }

        OneRun(NetNs ns, TableForm form) throws Exception {
            socket = new CountingElements(NlSocket.open(NlProtocol.NETFILTER, ns));
            syncer = NftablesSyncer.of(
                    form,
                    () -> socket,
                    generations,
                    new RuleSetGate(),
                    Optional.of(CheckpointFile.in(state, form.family(), ns, problems::add)));
            views = new ViewSyncer(syncer);
        }

        SyncResult start(NodeView node, Map<ServiceKey, Optional<ServiceView>> services) {
            syncer.readAhead();
            return views.run(node, services);
        }

        SyncResult run(NodeView node, Map<ServiceKey, Optional<ServiceView>> services) {
            return views.run(node, services);
        }

        @Override
        public void close() {
            views.close();
        }
    }

    /** Something that happens in a test. */
    @FunctionalInterface
    private interface Event {
        void happens() throws Exception;
    }

    /** Passes everything through and counts requests for elements. */
    private static final class CountingElements extends ForwardingTransport {
        /** {@code NFNL_MSG_BATCH_BEGIN}, the type of a batch's first message. */
        private static final int BATCH_BEGIN = 0x10;

        private int elements;
        /** Happens once. */
        private Event beforeBatch = () -> {};

        CountingElements(NlTransport transport) {
            super(transport);
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            elements += writer.message(0).type() == NftMessageType.GET_ELEMENT ? 1 : 0;
            if (writer.message(0).type() == BATCH_BEGIN) {
                Event event = beforeBatch;
                beforeBatch = () -> {};
                try {
                    event.happens();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
            super.send(writer);
        }
    }
}
