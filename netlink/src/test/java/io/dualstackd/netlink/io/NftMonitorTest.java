package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.NftType;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.witness.Witness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Listens to the running kernel in a namespace of its own. */
class NftMonitorTest {
    private static final TableName TABLE = new TableName(NftFamily.IP6, "t");
    private static final NftSet SET = NftSet.set(TABLE.set("s"), NftType.MARK);
    private static final List<NftElement> ELEMENTS = List.of(NftElement.of(Bytes.u32(5)));

    @Test
    void hearsEveryKindOfChangeAndWhoMadeIt() throws Exception {
        try (NetNs ns = NetNs.create();
                NftClient client = NftClient.open(ns);
                NftMonitor monitor = NftMonitor.open(ns)) {
            assertThat(monitor.next(Duration.ZERO)).isEqualTo(new NftNotice.Quiet());
            client.apply(NftBatch.begin()
                    .add(NftTable.of(TABLE))
                    .add(NftChain.of(TABLE.chain("c")))
                    .add(SET)
                    .addElements(SET.name(), ELEMENTS)
                    .append(NftRule.of(TABLE.chain("c"), Counter.ZERO)));
            List<NftNotice.Heard> made = transaction(monitor);
            assertThat(made).extracting(NftNotice.Heard::portId).containsOnly(client.portId());
            assertThat(made)
                    .extracting(heard -> heard.change().getClass().getSimpleName())
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
            new Witness(ns).feed(script, "nft", "-f", "-");
            List<NftNotice.Heard> deleted = transaction(monitor);
            assertThat(deleted).extracting(NftNotice.Heard::portId).doesNotContain(client.portId());
            assertThat(deleted.stream().map(NftNotice.Heard::change))
                    .contains(
                            new NftChange.ChainDeleted(TABLE.chain("c")),
                            new NftChange.ElementsDeleted(SET.name(), ELEMENTS),
                            new NftChange.SetDeleted(SET.name()),
                            new NftChange.TableDeleted(TABLE))
                    .hasAtLeastOneElementOfType(NftChange.RuleDeleted.class);
            assertThat(monitor.next(Duration.ZERO)).isEqualTo(new NftNotice.Quiet());
        }
    }

    @Test
    void objectsWeHaveNoWordsForAreHeardAsOther() throws Exception {
        try (NetNs ns = NetNs.create();
                NftMonitor monitor = NftMonitor.open(ns)) {
            new Witness(ns).feed("table ip t {\ncounter c { }\n}\n", "nft", "-f", "-");
            assertThat(transaction(monitor))
                    .extracting(NftNotice.Heard::change)
                    .hasAtLeastOneElementOfType(NftChange.Other.class);
        }
    }

    private static List<NftNotice.Heard> transaction(NftMonitor monitor) throws NetlinkException {
        List<NftNotice.Heard> heard = new ArrayList<>();
        while (heard.isEmpty() || !(heard.getLast().change() instanceof NftChange.Committed)) {
            switch (monitor.next(Duration.ofSeconds(10))) {
                case NftNotice.Changes(var changes) -> heard.addAll(changes);
                case NftNotice.Lost() -> throw new AssertionError("lost");
                case NftNotice.Quiet() -> throw new AssertionError("quiet after " + heard);
            }
        }
        return heard;
    }
}
