package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.RuleCompat;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.OtherExpr;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rules others wrote into the running kernel, read by us: printed as {@code nft --debug=netlink} prints them, and written by us into
 * a second namespace, where the tools must list the same.
 */
@Tag("kernel")
class NftRulesTest {
    private NetNs reference;
    private NetNs ours;
    private NftClient reader;
    private NftClient writer;

    @BeforeEach
    void open() throws Exception {
        reference = FreshNetNs.create();
        ours = FreshNetNs.create();
        reader = NftClient.open(reference);
        writer = NftClient.open(ours);
    }

    @AfterEach
    void close() {
        reader.close();
        writer.close();
        reference.close();
        ours.close();
    }

    @Test
    void everyExpression() throws Exception {
        new NetNsCommands(reference).feed(resource("expressions.nft"), "nft", "-f", "-");
        assertThat(allExpressions()).doesNotHaveAnyElementsOfTypes(OtherExpr.class);
        assertThat(printedByUs()).isEqualTo(new NetNsCommands(reference).expressions());
        // The named counter is an object we do not write.
        new NetNsCommands(ours).feed("table ip witness {\ncounter hits { }\n}\n", "nft", "-f", "-");
        copyEverything();
        assertThat(new NetNsCommands(ours).ruleset()).isEqualTo(new NetNsCommands(reference).ruleset());
        assertThat(new NetNsCommands(ours).run("nft", "-j", "list", "ruleset")).isNotEmpty();
    }

    @Test
    void iptablesRules() throws Exception {
        new NetNsCommands(reference).feed(resource("kube-ipv4.rules"), "iptables-restore");
        new NetNsCommands(reference).feed(resource("kube-ipv6.rules"), "ip6tables-restore");
        assertThat(allExpressions()).doesNotHaveAnyElementsOfTypes(OtherExpr.class);
        assertThat(printedByUs()).isEqualTo(new NetNsCommands(reference).expressions());
        copyEverything();
        for (String save : List.of("iptables-save", "ip6tables-save")) {
            assertThat(new NetNsCommands(ours).saved(save)).isEqualTo(new NetNsCommands(reference).saved(save));
        }
        assertThat(new NetNsCommands(ours).ruleset()).isEqualTo(new NetNsCommands(reference).ruleset());
        assertThat(new NetNsCommands(ours).run("iptables", "-t", "nat", "-L", "-n"))
                .contains("KUBE-POSTROUTING");
    }

    private List<NftExpr> allExpressions() throws NetlinkException {
        return reader.tables(NftFamily.ALL).stream()
                .flatMap(table -> rules(table.name()).stream())
                .flatMap(rule -> rule.expressions().stream())
                .toList();
    }

    private Map<String, List<String>> printedByUs() throws NetlinkException {
        Map<String, List<String>> printed = new LinkedHashMap<>();
        for (NftTable table : reader.tables(NftFamily.ALL)) {
            for (NftRule rule : rules(table.name())) {
                printed.put(
                        rule.chain() + " " + rule.handle(),
                        rule.expressions().stream().map(NftExpr::toString).toList());
            }
        }
        return printed;
    }

    private List<NftRule> rules(TableName table) {
        try {
            return reader.rules(table);
        } catch (NetlinkException e) {
            throw new AssertionError(e);
        }
    }

    private void copyEverything() throws NetlinkException {
        NftBatch batch = NftBatch.begin();
        int id = 0;
        for (NftTable table : reader.tables(NftFamily.ALL)) {
            batch.add(table);
            for (NftChain chain : reader.chains(table.name())) {
                batch.add(chain);
            }
            for (NftSet set : reader.sets(table.name())) {
                batch.add(set.withId(++id));
                batch.addElements(set.name(), reader.elements(set.name()));
            }
            for (NftRule rule : rules(table.name())) {
                batch.append(NftRule.of(rule.chain(), rule.expressions())
                        .withUserData(rule.userData())
                        .withCompat(compat(rule)));
            }
        }
        NftOutcome outcome = writer.apply(batch);
        assertThat(outcome).isInstanceOf(NftOutcome.Applied.class);
        for (NftTable table : reader.tables(NftFamily.ALL)) {
            for (NftSet set : reader.sets(table.name())) {
                assertThat(writer.elements(set.name()))
                        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("expirationMillis")
                        .containsExactlyInAnyOrderElementsOf(reader.elements(set.name()));
                assertThat(writer.elements(set.name())).hasOnlyElementsOfType(NftElement.class);
            }
            assertThat(writer.rules(table.name()))
                    .extracting(NftRule::expressions)
                    .isEqualTo(rules(table.name()).stream()
                            .map(NftRule::expressions)
                            .toList());
        }
    }

    /** The kernel does not give it back; it was the protocol the rule asks for first. */
    private static RuleCompat compat(NftRule rule) {
        List<NftExpr> expressions = rule.expressions();
        for (int i = 0; i + 1 < expressions.size(); i++) {
            if (expressions.get(i) instanceof Meta(MetaKey key, int ignored)
                    && key.equals(MetaKey.L4PROTO)
                    && expressions.get(i + 1) instanceof Cmp(CmpOp op, int alsoIgnored, var value)) {
                return new RuleCompat(value.at(0), op == CmpOp.NEQ);
            }
        }
        return RuleCompat.NONE;
    }

    private static String resource(String name) throws Exception {
        try (var in = NftRulesTest.class.getResourceAsStream("/rules/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
