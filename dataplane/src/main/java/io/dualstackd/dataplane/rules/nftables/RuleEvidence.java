package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.dataplane.rules.nftables.RuleRun.Decision;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.NftExpr;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the set elements by which a packet matched a rule of this layout, given that the kernel reports the match. */
public final class RuleEvidence {
    private final WalkedTable table;
    private final Set<Ip> nodeAddresses;
    private final TableWalk.Observer observer;

    /** As for {@link TableWalk}. */
    public RuleEvidence(WalkedTable table, Set<Ip> nodeAddresses, TableWalk.Observer observer) {
        this.table = table;
        this.nodeAddresses = Set.copyOf(nodeAddresses);
        this.observer = observer;
    }

    /**
     * The packet as it enters the rule.
     *
     * @param packet as it arrived, with the interface it came in through
     * @param to its present destination
     * @param mark its mark
     */
    public record Entering(Packet packet, IpPort to, int mark) {
        private WalkingPacket walking() {
            WalkingPacket arrived = WalkingPacket.of(packet).marked(mark);
            return to.equals(new IpPort(packet.destination(), packet.port())) ? arrived : arrived.sentTo(to);
        }
    }

    /**
     * What it met, in the kernel's order; empty where a random number decided and it is not known which.
     *
     * @param verdict of the rule
     * @param after the destination it was translated to by this rule, if that is known
     * @throws IllegalStateException when the rule is not of this layout
     */
    public List<Trail.Step> of(
            String chain, List<NftExpr> rule, Entering entering, Verdict verdict, Optional<IpPort> after) {
        List<List<Trail.Step>> cases = RuleRun.of(
                        table,
                        ip -> ip.isLoopback() || nodeAddresses.contains(ip),
                        rule,
                        entering.walking(),
                        (set, element) -> observer.found(chain, set, element))
                .stream()
                .filter(step -> agrees(step.decision(), verdict))
                .filter(step -> after.isEmpty()
                        || step.packet().to().equals(entering.to())
                        || step.packet().to().equals(after.get()))
                .map(step -> step.packet().trail().steps())
                .distinct()
                .toList();
        return cases.size() == 1 ? cases.getFirst() : List.of();
    }

    private static boolean agrees(Decision decision, Verdict verdict) {
        return switch (decision) {
            case Decision.Nothing() -> verdict instanceof Verdict.Continue;
            case Decision.Takes(Verdict taken) -> taken.equals(verdict);
            case Decision.Refuses() -> verdict instanceof Verdict.Drop;
        };
    }
}
