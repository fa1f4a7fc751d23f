package io.dualstackd.dataplane.rules.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.rules.iptables.Ownership.FoundJump;
import io.dualstackd.dataplane.rules.iptables.Ownership.Removal;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OwnershipTest {
    private static final ChainId NAT_SERVICES = new ChainId(Table.NAT, "KUBE-SERVICES");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nat KUBE-SVC-XPGD46QRK7WJZT7O",
                "nat KUBE-SVL-XPGD46QRK7WJZT7O",
                "nat KUBE-EXT-XPGD46QRK7WJZT7O",
                "nat KUBE-FW-XPGD46QRK7WJZT7O",
                "nat KUBE-SEP-XPGD46QRK7WJZT7O",
                "nat KUBE-SERVICES",
                "nat KUBE-NODEPORTS",
                "nat KUBE-POSTROUTING",
                "nat KUBE-MARK-MASQ",
                "nat KUBE-PROXY-CANARY",
                "mangle KUBE-PROXY-CANARY",
                "filter KUBE-PROXY-CANARY",
                "filter KUBE-SERVICES",
                "filter KUBE-EXTERNAL-SERVICES",
                "filter KUBE-NODEPORTS",
                "filter KUBE-PROXY-FIREWALL",
                "filter KUBE-FORWARD"
            })
    void isOurs(String chain) {
        assertThat(Ownership.ours(chain(chain))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "filter KUBE-FIREWALL",
                "mangle KUBE-IPTABLES-HINT",
                "mangle KUBE-KUBELET-CANARY",
                "nat KUBE-KUBELET-CANARY",
                "nat KUBE-MARK-DROP",
                "filter KUBE-SVC-XPGD46QRK7WJZT7O",
                "mangle KUBE-SERVICES",
                "nat PREROUTING",
                "nat DOCKER",
                "filter KUBE-ROUTER-INPUT"
            })
    void isNotOurs(String chain) {
        assertThat(Ownership.ours(chain(chain))).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void cleanupTakesAwayWholeFramesAndNothingElse(IpFamily family) {
        Frame frame = FrameCompiler.compile(NodePlanner.plan(
                NodeViewBuilder.node(family).localhostNodePorts(true).view()));
        List<ChainId> found = Stream.of(
                        frame.chains().keySet(),
                        frame.shared().keySet(),
                        Set.of(chain("filter KUBE-FIREWALL"), chain("nat DOCKER"), chain("nat KUBE-SVC-X")))
                .flatMap(Set::stream)
                .toList();
        List<FoundJump> jumps = frame.jumps().entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().map(rule -> found(entry.getKey(), rule)))
                .toList();

        Removal removal = Ownership.cleanup(found, jumps);

        assertThat(removal.delete())
                .isEqualTo(removal.flush())
                .containsAll(frame.chains().keySet())
                .containsAll(frame.shared().keySet())
                .contains(chain("nat KUBE-SVC-X"))
                .doesNotContain(chain("filter KUBE-FIREWALL"), chain("nat DOCKER"));
        assertThat(jumps)
                .filteredOn(jump -> !removal.jumps().contains(jump))
                .allSatisfy(jump -> assertThat(jump)
                        .matches(left -> left.to().isEmpty() || left.to().equals("KUBE-FIREWALL"), "kubelet's, too"));
    }

    @Test
    void removesGuardWithoutKubeletWhenItsChainIsEmpty() {
        ChainId firewall = chain("filter KUBE-FIREWALL");
        FoundJump guard = new FoundJump(firewall, "", "block incoming localnet connections", false, 1);
        FoundJump input = new FoundJump(chain("filter INPUT"), "KUBE-FIREWALL", "", true, 2);
        FoundJump sometimes = new FoundJump(chain("filter INPUT"), "KUBE-FIREWALL", "", false, 3);
        FoundJump others = new FoundJump(firewall, "", "mine", false, 4);
        FoundJump elsewhere = new FoundJump(chain("nat OUTPUT"), "KUBE-SERVICES", "", true, 5);

        Removal all = Ownership.guard(List.of(firewall, NAT_SERVICES), List.of(guard, input, elsewhere));
        assertThat(all.jumps()).containsExactly(input);
        assertThat(all.flush()).containsExactly(firewall);
        assertThat(all.delete()).containsExactly(firewall);

        Removal led = Ownership.guard(List.of(firewall), List.of(guard, input, sometimes));
        assertThat(led.jumps()).containsExactly(input);
        assertThat(led.flush()).containsExactly(firewall);
        assertThat(led.delete()).isEmpty();

        Removal shared = Ownership.guard(List.of(firewall), List.of(guard, others, input));
        assertThat(shared.jumps()).containsExactly(guard);
        assertThat(shared.flush()).isEmpty();
        assertThat(shared.delete()).isEmpty();

        for (String kubelets :
                List.of("mangle KUBE-IPTABLES-HINT", "mangle KUBE-KUBELET-CANARY", "nat KUBE-MARK-DROP")) {
            assertThat(Ownership.guard(List.of(firewall, chain(kubelets)), List.of(guard, input))
                            .isNothing())
                    .isTrue();
        }
        assertThat(Ownership.guard(List.of(NAT_SERVICES), List.of(elsewhere)).isNothing())
                .isTrue();
    }

    /** The kernel would refuse to delete a chain that a rule still leads to, and everything else with it. */
    @Test
    void flushesButKeepsChainThatForeignRuleJumpsTo() {
        FoundJump admins = new FoundJump(new ChainId(Table.NAT, "PREROUTING"), "KUBE-SERVICES", "mine", false, 7);
        FoundJump ours = new FoundJump(
                new ChainId(Table.NAT, "PREROUTING"), "KUBE-SERVICES", "kubernetes service portals", false, 8);

        Removal removal = Ownership.cleanup(List.of(NAT_SERVICES), List.of(admins, ours));

        assertThat(removal.jumps()).containsExactly(ours);
        assertThat(removal.flush()).containsExactly(NAT_SERVICES);
        assertThat(removal.delete()).isEmpty();
    }

    private static FoundJump found(ChainId in, Rule rule) {
        String to = rule.target() instanceof Target.Jump(String chain) ? chain : "";
        String comment = rule.matches().stream()
                .flatMap(match -> match instanceof Match.Comment(String text) ? Stream.of(text) : Stream.of())
                .findFirst()
                .orElse("");
        return new FoundJump(in, to, comment, false, 0);
    }

    private static ChainId chain(String text) {
        String[] words = text.split(" ", 2);
        return new ChainId(
                Stream.of(Table.values())
                        .filter(table -> table.toString().equals(words[0]))
                        .findFirst()
                        .orElseThrow(),
                words[1]);
    }
}
