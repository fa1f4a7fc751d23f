package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.iptables.BuiltIn;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the chains that another program changed are read again. */
@Tag("slow")
final class IptablesRecheckTest {
    private static final NodeView NODE = Samples.node(IpFamily.IPV4);
    private static final RuleImage THEIRS =
            Samples.imageByText(Rule.of(new Target.Accept(), new Match.Comment("theirs")));
    private static final ChainId SERVICES = new ChainId(Table.NAT, "KUBE-SERVICES");
    private static final ChainId PREROUTING = new ChainId(Table.NAT, "PREROUTING");

    private final FakeKernel kernel = new FakeKernel();
    private final IptablesSyncer inner = new IptablesSyncer(kernel, Samples.layoutByText());
    private final ViewSyncer syncer = new ViewSyncer(inner);

    private Map<ChainId, List<String>> content() {
        Map<ChainId, List<String>> content = new HashMap<>();
        kernel.content().forEach((chain, rules) -> {
            List<String> texts = rules.stream()
                    .filter(rule -> !BuiltIn.contains(chain) || !rule.equals(THEIRS.rule()))
                    .map(Rule::toString)
                    .sorted(Comparator.naturalOrder())
                    .toList();
            content.put(chain, texts);
        });
        return content;
    }

    private static ChangedObject inRules(ChainId chain) {
        return new ChangedObject.InRules(
                new ChainName(new TableName(NftFamily.IP, chain.table().toString()), chain.name()));
    }

    private static Map<ServiceKey, Optional<ServiceView>> change(ServiceView service) {
        return Map.of(service.key(), Optional.of(service));
    }

    private void load(int services) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int i = 0; i < services; i++) {
            all.putAll(change(Samples.service(IpFamily.IPV4, i, 3)));
        }
        assertThat(syncer.run(NODE, all).result()).isEqualTo(new Result.InForce());
    }

    private void repairs(int ops, ChainId chain, Consumer<List<RuleImage>> damage) {
        Map<ChainId, List<String>> right = content();
        int reads = kernel.reads;
        kernel.meddle(chain, damage);
        syncer.invalidate(Set.of(inRules(chain)));
        SyncResult report = syncer.run(NODE, Map.of());
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.ops()).isEqualTo(ops);
        assertThat(report.comparedAll()).isFalse();
        assertThat(kernel.reads).as("full readings").isEqualTo(reads);
        assertThat(content()).isEqualTo(right);
    }

    private ChainId one(String prefix) {
        return kernel.content().keySet().stream()
                .filter(chain -> chain.name().startsWith(prefix))
                .min(Comparator.comparing(ChainId::name))
                .orElseThrow();
    }

    @Test
    void aLostDispatchRuleIsPlacedAgainAlone() {
        load(20);
        repairs(1, SERVICES, rules -> rules.remove(5));
    }

    @Test
    void anEmptiedSharedChainGetsAllItsRules() {
        load(5);
        int size = content().getOrDefault(SERVICES, List.of()).size();
        repairs(size, SERVICES, List::clear);
    }

    @Test
    void onlyTheForeignRuleInSharedChainIsDeleted() {
        load(5);
        repairs(1, SERVICES, rules -> rules.add(2, THEIRS));
    }

    @Test
    void aRuleOfASharedChainThatWasReplacedByItsTwinIsKept() {
        load(5);
        repairs(0, SERVICES, rules -> {
            RuleImage twin = rules.removeFirst();
            rules.add(new RuleImage.Expressions(twin.rule(), twin.print(), RuleBody.EMPTY));
        });
    }

    @Test
    void rewritesOnlyTheChainOfAService() {
        load(5);
        repairs(5, one("KUBE-SVC-"), rules -> rules.add(THEIRS));
    }

    @Test
    void aLostJumpComesBackAlone() {
        load(3);
        repairs(1, PREROUTING, List::clear);
    }

    @Test
    void foreignChainWithOurNameIsDeleted() {
        load(3);
        Map<ChainId, List<String>> right = content();
        ChainId stray = new ChainId(Table.NAT, "KUBE-SVC-STRAY");
        kernel.meddle(stray, rules -> rules.add(THEIRS));
        syncer.invalidate(Set.of(inRules(stray)));
        assertThat(syncer.run(NODE, Map.of()).ops()).isEqualTo(2);
        assertThat(content()).isEqualTo(right);
    }

    @Test
    void newsThatNameNoChainLeadToAFullComparison() {
        load(3);
        int reads = kernel.reads;
        syncer.invalidate(Set.of(inRules(SERVICES), new ChangedObject.Anything()));
        assertThat(syncer.run(NODE, Map.of()).comparedAll()).isTrue();
        assertThat(kernel.reads).isEqualTo(reads + 1);
    }

    /** The next attempt must not take what was in force before for what the changed node and Service want. */
    @Test
    void aFailedReadingLosesNoChange() {
        load(3);
        NodeView other = NodeViewBuilder.node().masqueradeAll(true).view();
        syncer.invalidate(Set.of(inRules(SERVICES)));
        kernel.failReads(1);
        SyncResult failed = syncer.run(other, change(Samples.service(IpFamily.IPV4, 1, 5)));
        assertThat(failed.result()).isInstanceOf(Result.Unreachable.class);

        assertThat(syncer.run(other, Map.of()).result()).isEqualTo(new Result.InForce());
        Map<ChainId, List<String>> inForce = content();
        syncer.invalidateAll();
        assertThat(syncer.run(other, Map.of()).ops()).isZero();
        assertThat(content()).isEqualTo(inForce);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void repairsReportedDamageWhileServicesChange(long seed) {
        Random random = new Random(seed);
        load(12);
        for (int round = 0; round < 150; round++) {
            Set<ChangedObject> changes = new HashSet<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                changes.add(inRules(damage(random)));
            }
            syncer.invalidate(changes);
            ServiceView changed = Samples.service(IpFamily.IPV4, random.nextInt(12), random.nextInt(5));
            SyncResult report = syncer.run(NODE, change(changed));
            // The kernel refuses to delete a chain that a rule of another program jumps to; the full comparison leaves
            // such a chain.
            assertThat(report.result()).isEqualTo(new Result.InForce());
            Map<ChainId, List<String>> repaired = content();
            syncer.invalidateAll();
            assertThat(syncer.run(NODE, Map.of()).ops())
                    .as("what a full comparison still finds, round " + round + " of seed " + seed)
                    .isZero();
            assertThat(content()).isEqualTo(repaired);
        }
    }

    private ChainId damage(Random random) {
        List<ChainId> chains = new ArrayList<>(kernel.content().keySet());
        chains.sort(Comparator.comparing(ChainId::toString));
        ChainId chain = chains.get(random.nextInt(chains.size()));
        switch (random.nextInt(5)) {
            case 0 -> kernel.meddle(chain, List::clear);
            case 1 ->
                kernel.meddle(chain, rules -> {
                    if (!rules.isEmpty()) {
                        rules.remove(random.nextInt(rules.size()));
                    }
                });
            case 2 -> kernel.meddle(chain, rules -> rules.add(random.nextInt(rules.size() + 1), THEIRS));
            case 3 -> {
                if (BuiltIn.contains(chain) || !kernel.deleteChain(chain)) {
                    kernel.meddle(chain, rules -> rules.add(THEIRS));
                }
            }
            default -> {
                chain = new ChainId(Table.NAT, "KUBE-SEP-STRAY" + random.nextInt(3));
                kernel.meddle(chain, rules -> rules.add(THEIRS));
            }
        }
        return chain;
    }
}
