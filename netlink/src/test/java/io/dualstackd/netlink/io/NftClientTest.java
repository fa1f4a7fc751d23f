package io.dualstackd.netlink.io;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.ElementList;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against the running kernel, in a namespace of its own, with {@code nft} as the reference. */
@Tag("kernel")
class NftClientTest {
    private static final TableName TABLE = new TableName(NftFamily.IP, "t");
    private static final ChainName CHAIN = TABLE.chain("c");

    private NetNs ns;
    private NftClient client;
    private NetNsCommands commands;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
        client = NftClient.open(ns);
        commands = new NetNsCommands(ns);
    }

    @AfterEach
    void close() {
        client.close();
        ns.close();
    }

    @Test
    void rulesStandWhereTheyWerePut() throws Exception {
        NftOutcome.Applied first = applied(NftBatch.begin()
                .add(NftTable.of(TABLE))
                .add(NftChain.of(CHAIN))
                .echo(true)
                .append(rule("b"))
                .append(rule("c"))
                .prepend(rule("a")));
        Map<Long, String> byHandle = client.rules(CHAIN).stream().collect(toMap(NftRule::handle, NftClientTest::text));
        assertThat(first.handles()).extracting(byHandle::get).containsExactly("b", "c", "a");
        assertThat(first.generation()).contains(client.generation());
        assertThat(listed()).containsExactly("a", "b", "c");

        applied(NftBatch.begin().deleteRule(CHAIN, first.handles().getFirst()));
        assertThat(listed()).containsExactly("a", "c");
        applied(NftBatch.begin().flush(CHAIN));
        assertThat(listed()).isEmpty();
    }

    @Test
    void refusalNamesTheMessageAndLeavesNothing() throws Exception {
        applied(NftBatch.begin().add(NftTable.of(TABLE)));
        NftOutcome outcome = client.apply(NftBatch.begin()
                .add(NftChain.of(CHAIN))
                .append(rule("fine"))
                .delete(TABLE.chain("missing"))
                .append(rule("fine, too"))
                .delete(TABLE.set("missing")));
        assertThat(outcome).isInstanceOfSatisfying(NftOutcome.Refused.class, refused -> {
            assertThat(refused.problems())
                    .extracting(NftOutcome.Problem::operation)
                    .containsExactly("delete chain ip t missing", "delete set ip t missing");
            assertThat(refused.problems()).extracting(NftOutcome.Problem::index).containsExactly(2, 4);
            assertThat(refused.problems())
                    .extracting(p -> p.refusal().errno())
                    .containsExactly(Errno.ENOENT, Errno.ENOENT);
        });
        assertThat(client.chains(TABLE)).isEmpty();
    }

    @Test
    void refusalNamesTheElement() throws Exception {
        NftSet set = NftSet.set(TABLE.set("s"), NftType.IPV4_ADDR);
        applied(NftBatch.begin().add(NftTable.of(TABLE)).add(set));
        List<NftElement> elements = elements(9_000, 0);
        List<NftElement> present = new ArrayList<>(elements);
        present.remove(8_000);
        applied(NftBatch.begin().addElements(set.name(), present));
        NftOutcome outcome = client.apply(NftBatch.begin().deleteElements(set.name(), elements));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        NftOutcome.Refused.class,
                        refused -> assertThat(refused.problems())
                                .extracting(NftOutcome.Problem::operation)
                                .containsExactly("delete element ip t s { 0x0a001f40 }"));
        assertThat(client.elements(set.name())).hasSameSizeAs(present);
    }

    @Test
    void staleGenerationIsOutdated() throws Exception {
        int generation = client.generation().id();
        commands.run("nft", "add", "table", "ip", "foreign");
        assertThat(client.apply(NftBatch.begin(generation).add(NftTable.of(TABLE))))
                .isInstanceOf(NftOutcome.Outdated.class);
        assertThat(client.tables(NftFamily.IP))
                .extracting(NftTable::name)
                .containsExactly(new TableName(NftFamily.IP, "foreign"));
        applied(NftBatch.begin(client.generation().id()).add(NftTable.of(TABLE)));
    }

    @Test
    void emptyBatchIsNotSent() throws Exception {
        int generation = client.generation().id();
        assertThat(client.apply(NftBatch.begin(generation + 100)))
                .isEqualTo(new NftOutcome.Applied(List.of(), Optional.empty()));
        assertThat(client.generation().id()).isEqualTo(generation);
    }

    @Test
    void hundredThousandElements() throws Exception {
        NftSet map = NftSet.map(TABLE.set("m"), NftType.IPV4_ADDR, NftType.MARK);
        List<NftElement> elements = new ArrayList<>();
        for (NftElement element : elements(100_000, 0)) {
            elements.add(NftElement.of(element.key(), element.key()).withComment("element " + element.key()));
        }
        NftBatch batch = NftBatch.begin().add(NftTable.of(TABLE)).add(map).addElements(map.name(), elements);
        assertThat(batch.messages()).isBetween(50, 200);
        applied(batch);
        List<NftElement> read = client.elements(map.name());
        // Compared as sets: the library's own comparison of lists without order is quadratic.
        assertThat(new HashSet<>(read).equals(new HashSet<>(elements))).isTrue();

        applied(NftBatch.begin().deleteElements(map.name(), elements.subList(0, 99_999)));
        assertThat(client.elements(map.name())).containsExactly(elements.getLast());
        applied(NftBatch.begin().delete(map.name()));
        assertThat(client.sets(TABLE)).isEmpty();
    }

    @Test
    void elementsByTheirKeys() throws Exception {
        NftSet map = NftSet.map(TABLE.set("m"), NftType.IPV4_ADDR, NftType.MARK);
        int some = NftClient.KEYS_AT_ONCE;
        applied(NftBatch.begin()
                .add(NftTable.of(TABLE))
                .add(map)
                .addElements(
                        map.name(),
                        elements(2 * some, 0).stream()
                                .map(element -> NftElement.of(element.key(), element.key()))
                                .toList()));
        assertThat(client.elementCount(map.name())).hasValue(2 * some);
        assertThat(client.elementCount(TABLE.set("missing"))).isEmpty();

        List<Bytes> asked =
                elements(some, some / 2).stream().map(NftElement::key).toList();
        List<Bytes> found = new ArrayList<>();
        assertThat(client.elements(map.name(), keys(asked), element -> {
                    assertThat(element.value())
                            .startsWith(Bytes.of(element.key(), 0, 4).toArray());
                    found.add(Bytes.of(element.key(), 0, element.keyLength()));
                }))
                .isTrue();
        assertThat(found).isEqualTo(asked);
        assertThat(client.elements(
                        map.name(),
                        keys(elements(2, 2 * some - 1).stream()
                                .map(NftElement::key)
                                .toList()),
                        element -> {}))
                .as("the second one does not exist")
                .isFalse();
    }

    private static ElementList keys(List<Bytes> keys) {
        ElementList list = new ElementList();
        keys.forEach(key -> list.begin().key(key.toArray(), 0, key.length()).end());
        return list;
    }

    @Test
    void objectsAreReadBackAsWritten() throws Exception {
        NftHook hook = new NftHook("filter", NftHook.INPUT, -5, NftHook.DROP, List.of());
        NftTable table = new NftTable(TABLE, NftTable.DORMANT, 0, 0, UserData.comment("of the test"));
        NftChain chain = NftChain.of(TABLE.chain("base"), hook).withComment("a door");
        applied(NftBatch.begin().add(table).add(chain).add(NftChain.of(CHAIN)));
        assertThat(client.tables(NftFamily.IP)).singleElement().satisfies(read -> {
            assertThat(UserData.findComment(read.userData())).contains("of the test");
            assertThat(read.flags()).isEqualTo(NftTable.DORMANT);
            assertThat(read.use()).isEqualTo(2);
            assertThat(read.handle()).isNotZero();
        });
        assertThat(client.chains(TABLE)).extracting(NftChain::name).containsExactly(chain.name(), CHAIN);
        assertThat(client.chains(TABLE).getFirst()).satisfies(read -> {
            assertThat(read.hook()).contains(hook);
            assertThat(UserData.findComment(read.userData())).contains("a door");
        });
        assertThat(commands.ruleset()).isEqualTo("""
                        table ip t {
                        	flags dormant
                        	comment "of the test"

                        	chain base {
                        		comment "a door"
                        		type filter hook input priority filter - 5; policy drop;
                        	}

                        	chain c {
                        	}
                        }
                        """);
        applied(NftBatch.begin().delete(chain.name()).delete(TABLE));
        assertThat(commands.ruleset()).isEmpty();
    }

    @Test
    void consistentReadingsRepeatUntilNothingChanges() throws Exception {
        applied(NftBatch.begin().add(NftTable.of(TABLE)));
        int[] reads = {0};
        NftClient.Snapshot<Integer> snapshot = client.consistently(c -> {
            if (reads[0]++ < 3) {
                c.apply(NftBatch.begin().add(NftChain.of(TABLE.chain("c" + reads[0]))));
            }
            return c.chains(TABLE).size();
        });
        assertThat(snapshot.value()).isEqualTo(3);
        assertThat(reads[0]).isEqualTo(4);
        assertThat(snapshot.generation().id()).isEqualTo(client.generation().id());
    }

    @Test
    void elementsOfAMissingSetAreRefused() {
        assertThatExceptionOfType(NetlinkException.Refused.class)
                .isThrownBy(() -> client.elements(TABLE.set("missing")))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
    }

    private NftOutcome.Applied applied(NftBatch batch) {
        NftOutcome outcome = client.apply(batch);
        assertThat(outcome).isInstanceOf(NftOutcome.Applied.class);
        return (NftOutcome.Applied) outcome;
    }

    private static NftRule rule(String comment) {
        return NftRule.of(CHAIN, Counter.ZERO, new VerdictExpr(new Verdict.Accept()))
                .withUserData(UserData.comment(comment));
    }

    private static String text(NftRule rule) {
        return UserData.findComment(rule.userData()).orElse("");
    }

    private List<String> listed() throws NetlinkException {
        return client.rules(CHAIN).stream().map(NftClientTest::text).toList();
    }

    private static List<NftElement> elements(int count, int from) {
        List<NftElement> elements = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            elements.add(NftElement.of(Bytes.u32be(0x0a000000 + i)));
        }
        return elements;
    }
}
