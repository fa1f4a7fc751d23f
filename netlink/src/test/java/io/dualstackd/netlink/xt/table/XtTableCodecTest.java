package io.dualstackd.netlink.xt.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.random.Tries;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtDnat;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtTcp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class XtTableCodecTest {
    private static final int PREROUTING = 0;
    private static final int OUTPUT = 3;
    private static final int HOOKS = 1 << PREROUTING | 1 << OUTPUT;

    @Test
    void encodedTableRoundTrips() {
        Tries.of(200, draw -> encodedTableRoundTrips(draw.seed(), draw.one(IpFamily.class)));
    }

    private void encodedTableRoundTrips(long seed, IpFamily family) throws Exception {
        XtTable table = table(new Random(seed), family);
        TableBlob blob = XtTableCodec.encode(table, nothing(family)).blob();
        XtTable again = XtTableCodec.decode(blob);
        assertThat(again).isEqualTo(table);
        assertThat(XtTableCodec.encode(again, blob).blob().entries()).isEqualTo(blob.entries());
    }

    @Test
    void movedRuleKeepsItsCounters() {
        Tries.of(200, draw -> movedRuleKeepsItsCounters(draw.seed(), draw.one(IpFamily.class)));
    }

    private void movedRuleKeepsItsCounters(long seed, IpFamily family) throws Exception {
        TableBlob blob = XtTableCodec.encode(table(new Random(seed), family), nothing(family))
                .blob();
        XtTable before = XtTableCodec.decode(blob);
        List<XtChain> chains = new ArrayList<>(before.chains());
        XtChain first = chains.getFirst();
        List<XtEntry> rules = new ArrayList<>(first.rules());
        rules.addFirst(EntryDraft.of(family)
                .counters(7, 420)
                .match(new XtComment("new"))
                .accept());
        chains.set(0, first.with(rules));
        Replacement replacement = XtTableCodec.encode(before.with(chains), blob);
        assertThat(XtTableCodec.decode(replacement.blob())).isEqualTo(before.with(chains));
        long[] old = new long[2 * blob.count()];
        for (int i = 0; i < old.length; i++) {
            old[i] = i + 1L;
        }
        long[] counted = replacement.counted(old);
        Replacement undo = replacement.undo();
        assertThat(undo.blob()).isSameAs(blob);
        assertThat(undo.counted(counted)).isEqualTo(old);
        assertThat(counted).startsWith(7, 420, 1, 2).hasSize(old.length + 2).endsWith(old.length - 1, old.length);
    }

    @Test
    void spoiledBytesAreRefusedOrWrittenBackAsTheyWere() {
        Tries.of(
                3000,
                draw -> spoiledBytesAreRefusedOrWrittenBackAsTheyWere(
                        draw.upTo(20),
                        draw.one(IpFamily.class),
                        draw.list(1, 4, () -> draw.upTo(1 << 16)),
                        draw.aByte()));
    }

    private void spoiledBytesAreRefusedOrWrittenBackAsTheyWere(
            int seed, IpFamily family, List<Integer> places, byte value) throws Exception {
        TableBlob good = XtTableCodec.encode(table(new Random(seed), family), nothing(family))
                .blob();
        byte[] bytes = good.entries().clone();
        for (int place : places) {
            bytes[place % bytes.length] = value;
        }
        int[] hooks = {good.hookEntry(0), 0, 0, good.hookEntry(OUTPUT), 0};
        int[] underflows = {good.underflow(0), 0, 0, good.underflow(OUTPUT), 0};
        TableBlob spoiled = new TableBlob(family, "nat", HOOKS, hooks, underflows, good.count(), bytes);
        try {
            XtTable table = XtTableCodec.decode(spoiled);
            assertThat(table.toString()).isNotEmpty();
            assertThat(XtTableCodec.encode(table, spoiled).blob().entries()).isEqualTo(bytes);
        } catch (DecodeException | XtTableCodec.NoSuchChain refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }

    /** The name would not determine which of the two a jump leads to. */
    @Test
    void twoChainsOfOneNameAreRefused() throws Exception {
        TableBlob good = XtTableCodec.encode(table(new Random(11), IpFamily.IPV6), nothing(IpFamily.IPV6))
                .blob();
        String text = new String(good.entries(), StandardCharsets.ISO_8859_1);
        assertThat(text).contains("USER-0").contains("USER-1");
        byte[] bytes = text.replace("USER-1", "USER-0").getBytes(StandardCharsets.ISO_8859_1);
        int[] hooks = {good.hookEntry(0), 0, 0, good.hookEntry(OUTPUT), 0};
        int[] underflows = {good.underflow(0), 0, 0, good.underflow(OUTPUT), 0};
        TableBlob spoiled = new TableBlob(IpFamily.IPV6, "nat", HOOKS, hooks, underflows, good.count(), bytes);
        assertThatThrownBy(() -> XtTableCodec.decode(spoiled))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("a second chain \"USER-0\"");
    }

    @Test
    void reportsDanglingJump() {
        XtTable table = table(new Random(1), IpFamily.IPV4);
        XtChain first = table.chains().getFirst();
        XtTable lost = table.with(
                List.of(first.with(List.of(EntryDraft.of(IpFamily.IPV4).jump("GONE")))));
        assertThatThrownBy(() -> XtTableCodec.encode(lost, nothing(IpFamily.IPV4)))
                .isInstanceOf(XtTableCodec.NoSuchChain.class)
                .hasMessage("a rule in PREROUTING leads to GONE, which is not there");
    }

    private static TableBlob nothing(IpFamily family) {
        return new TableBlob(family, "nat", HOOKS, new int[5], new int[5], 0, new byte[0]);
    }

    private static XtTable table(Random random, IpFamily family) {
        List<XtChain> chains = new ArrayList<>();
        int users = random.nextInt(5);
        for (int hook : List.of(PREROUTING, OUTPUT)) {
            chains.add(new XtChain(
                    XtTable.hookName(hook),
                    hook,
                    List.of(),
                    rules(random, family, users),
                    EntryDraft.of(family).accept()));
        }
        for (int i = 0; i < users; i++) {
            XtChain empty = new XtChain(
                    "USER-" + i,
                    XtChain.OF_USER,
                    List.of(EntryDraft.head(family, "USER-" + i)),
                    List.of(),
                    EntryDraft.of(family).returning());
            chains.add(empty.with(rules(random, family, users)));
        }
        return new XtTable(family, "nat", HOOKS, chains, EntryDraft.head(family, EntryLayout.ERROR));
    }

    private static List<XtEntry> rules(Random random, IpFamily family, int users) {
        List<XtEntry> rules = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            rules.add(rule(random, family, users));
        }
        return rules;
    }

    private static XtEntry rule(Random random, IpFamily family, int users) {
        EntryDraft draft = EntryDraft.of(family);
        Ip ip = Ip.parse(family == IpFamily.IPV4 ? "192.0.2.7" : "2001:db8::7");
        if (random.nextBoolean()) {
            draft.destination(IpPrefix.host(ip), random.nextBoolean())
                    .protocol(Proto.TCP)
                    .match(XtTcp.toPort(80));
        }
        if (random.nextBoolean()) {
            draft.in("eth", true, false).match(new XtMatch.Other("odd", 7, Bytes.zeros(8 * random.nextInt(4))));
        }
        return switch (random.nextInt(users == 0 ? 3 : 4)) {
            case 0 -> draft.count();
            case 1 -> draft.drop();
            case 2 -> draft.target(new XtDnat(ip, 8080));
            default -> draft.jump("USER-" + random.nextInt(users));
        };
    }
}
