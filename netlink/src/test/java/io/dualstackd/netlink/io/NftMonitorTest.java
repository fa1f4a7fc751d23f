package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftInterest;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftMessageView;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Listens to the running kernel in a namespace of its own. */
@Tag("kernel")
class NftMonitorTest {
    private static final TableName TABLE = new TableName(NftFamily.IP6, "t");
    private static final NftSet SET = NftSet.set(TABLE.set("s"), NftType.MARK);
    private static final List<NftElement> ELEMENTS = List.of(NftElement.of(Bytes.u32(5)));

    @Test
    void hearsEveryKindOfChangeAndWhoMadeIt() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient client = NftClient.open(ns);
                NftMonitor monitor = NftMonitor.open(NetlinkSockets.of(ns), NftInterest.EVERYTHING)) {
            assertThat(monitor.next(Duration.ZERO)).isEqualTo(new Notification.Quiet<>());
            client.apply(NftBatch.begin()
                    .add(NftTable.of(TABLE))
                    .add(NftChain.of(TABLE.chain("c")))
                    .add(SET)
                    .addElements(SET.name(), ELEMENTS)
                    .append(NftRule.of(TABLE.chain("c"), Counter.ZERO)));
            List<NftMonitor.Received> made = transaction(monitor);
            assertThat(made).extracting(NftMonitor.Received::portId).containsOnly(client.portId());
            assertThat(made)
                    .extracting(received -> received.change().getClass().getSimpleName())
                    .containsExactly("TableSet", "ChainSet", "SetSet", "ElementsSet", "RuleSet", "Committed");
            assertThat(made.get(3).change()).isEqualTo(new NftChange.ElementsSet(SET.name(), ELEMENTS));
            assertThat(made.getLast().change()).isEqualTo(new NftChange.Committed(client.generation()));

            String script = """
                    flush chain ip6 t c
                    delete chain ip6 t c
                    flush set ip6 t s
                    delete set ip6 t s
                    delete table ip6 t
                    """;
            new NetNsCommands(ns).feed(script, "nft", "-f", "-");
            List<NftMonitor.Received> deleted = transaction(monitor);
            assertThat(deleted).extracting(NftMonitor.Received::portId).doesNotContain(client.portId());
            assertThat(deleted.stream().map(NftMonitor.Received::change))
                    .contains(
                            new NftChange.ChainDeleted(TABLE.chain("c")),
                            new NftChange.ElementsDeleted(SET.name(), ELEMENTS),
                            new NftChange.SetDeleted(SET.name()),
                            new NftChange.TableDeleted(TABLE))
                    .hasAtLeastOneElementOfType(NftChange.RuleDeleted.class);
            assertThat(monitor.next(Duration.ZERO)).isEqualTo(new Notification.Quiet<>());
        }
    }

    @Test
    void objectsWeHaveNoWordsForAreHeardAsOther() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftMonitor monitor = NftMonitor.open(NetlinkSockets.of(ns), NftInterest.EVERYTHING)) {
            new NetNsCommands(ns).feed("table ip t {\ncounter c { }\n}\n", "nft", "-f", "-");
            assertThat(transaction(monitor))
                    .extracting(NftMonitor.Received::change)
                    .hasAtLeastOneElementOfType(NftChange.Other.class);
        }
    }

    private static final TableName OURS = new TableName(NftFamily.IP, "ours");

    private static boolean aboutOurs(NftMessageView message) {
        return message.type() == NftMessageType.NEW_GENERATION || message.isIn(OURS);
    }

    @Test
    void uninterestingMessagesAreNotDecoded() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient client = NftClient.open(ns);
                NftMonitor monitor = NftMonitor.open(NetlinkSockets.of(ns), NftMonitorTest::aboutOurs)) {
            client.apply(NftBatch.begin()
                    .add(NftTable.of(TABLE))
                    .add(NftTable.of(new TableName(NftFamily.IP6, "ours")))
                    .add(NftTable.of(new TableName(NftFamily.IP, "ours2")))
                    .add(NftTable.of(OURS))
                    .add(NftChain.of(TABLE.chain("c")))
                    .add(NftChain.of(OURS.chain("c")))
                    .append(NftRule.of(TABLE.chain("c"), Counter.ZERO))
                    .append(NftRule.of(OURS.chain("c"), Counter.ZERO)));
            assertThat(transaction(monitor))
                    .extracting(received -> received.change().getClass().getSimpleName())
                    .containsExactly("TableSet", "ChainSet", "RuleSet", "Committed");
        }
    }

    /** Elements of other programs cost one look each, and no object. */
    @Test
    void aLargeForeignTransactionCostsALookAtEachMessage() throws Exception {
        int count = 100_000;
        AtomicInteger looks = new AtomicInteger();
        NftInterest counting = message -> {
            looks.incrementAndGet();
            return aboutOurs(message);
        };
        List<NftElement> many = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            many.add(NftElement.of(Bytes.u32(i)));
        }
        try (NetNs ns = FreshNetNs.create();
                NftClient client = NftClient.open(ns);
                NftMonitor monitor = NftMonitor.open(NetlinkSockets.of(ns), counting)) {
            client.apply(NftBatch.begin().add(NftTable.of(TABLE)).add(SET));
            transaction(monitor);
            looks.set(0);
            client.apply(NftBatch.begin().addElements(SET.name(), many));
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            List<NftMonitor.Received> changes = transaction(monitor);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(changes)
                    .singleElement()
                    .extracting(NftMonitor.Received::change)
                    .isInstanceOf(NftChange.Committed.class);
            assertThat(looks).hasValue(count + 1);
            assertThat(allocated / count).as("bytes per message").isLessThan(24);
        }
    }

    @Test
    void ignoredSenderIsNotReported() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient own = NftClient.open(ns);
                NftClient other = NftClient.open(ns);
                NftMonitor monitor = NftMonitor.open(smallBuffer(ns), NftInterest.EVERYTHING)) {
            monitor.ignore(List.of(own.portId(), 4711));
            own.apply(NftBatch.begin().add(NftTable.of(TABLE)).add(SET));
            List<NftElement> many = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                many.add(NftElement.of(Bytes.u32(i)));
            }
            own.apply(NftBatch.begin().addElements(SET.name(), many));
            assertThat(monitor.next(Duration.ZERO)).isEqualTo(new Notification.Quiet<>());
            other.apply(NftBatch.begin().add(NftTable.of(OURS)));
            assertThat(transaction(monitor)).hasSize(2);

            monitor.ignore(List.of());
            own.apply(NftBatch.begin().delete(OURS));
            assertThat(transaction(monitor)).hasSize(2);
        }
    }

    @Test
    void moreThanThereIsRoomForIsLost() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient client = NftClient.open(ns);
                NftMonitor monitor = NftMonitor.open(smallBuffer(ns), NftMonitorTest::aboutOurs)) {
            client.apply(NftBatch.begin().add(NftTable.of(TABLE)).add(SET));
            transaction(monitor);
            List<NftElement> many = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                many.add(NftElement.of(Bytes.u32(i)));
            }
            client.apply(NftBatch.begin().addElements(SET.name(), many));
            assertThat(monitor.next(Duration.ZERO)).isEqualTo(new Notification.Lost<>());
            while (!(monitor.next(Duration.ZERO) instanceof Notification.Quiet)) {
                // what did fit
            }
            client.apply(NftBatch.begin().add(NftTable.of(OURS)));
            assertThat(transaction(monitor)).hasSize(2);
        }
    }

    private static NetlinkSockets smallBuffer(NetNs ns) {
        return (protocol, ignored) -> NlSocket.open(protocol, ns, 4096);
    }

    private static List<NftMonitor.Received> transaction(NftMonitor monitor) throws NetlinkException {
        List<NftMonitor.Received> changes = new ArrayList<>();
        while (changes.isEmpty() || !(changes.getLast().change() instanceof NftChange.Committed)) {
            switch (monitor.next(Duration.ofMinutes(1))) {
                case Notification.Changes(var more) -> changes.addAll(more);
                case Notification.Lost() -> throw new AssertionError("lost");
                case Notification.Quiet() -> throw new AssertionError("quiet after " + changes);
            }
        }
        return changes;
    }
}
