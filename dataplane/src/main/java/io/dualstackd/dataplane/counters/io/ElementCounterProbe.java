package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.userdata.NftType;
import java.util.List;
import java.util.Optional;

/**
 * Finds out whether the kernel has counters at the elements of maps. A kernel that does not know the expression of a set ignores it
 * (Linux before 5.7), so it is shown one that is wrong, too, in a transaction that is always refused and so changes nothing.
 */
public final class ElementCounterProbe {
    /** No set may have it: it keeps nothing of its own for an element. */
    private static final NftExpr WRONG = new Meta(MetaKey.MARK, 1);

    private ElementCounterProbe() {}

    /**
     * Why there are no counters; empty when there are, and when that could not be found out: the first transaction tells then, and a table
     * is not made anew because of one failed request.
     *
     * @param sockets of the namespace with the rules
     */
    public static Optional<String> unavailable(NetlinkSockets sockets) {
        TableName table = new TableName(NftFamily.of(IpFamily.IPV4), TableSets.NAME + "-probe");
        try (NftClient kernel = NftClient.open(sockets);
                NftBatch batch = NftBatch.begin()) {
            batch.add(NftTable.of(table));
            int right = batch.messages();
            batch.add(map(table.set("right"), Counter.ZERO));
            int wrong = batch.messages();
            batch.add(map(table.set("wrong"), WRONG));
            int last = batch.messages();
            batch.delete(table.set("missing"));
            return switch (kernel.apply(batch)) {
                case NftOutcome.Refused(List<NftOutcome.Problem> problems) -> judge(problems, right, wrong, last);
                case NftOutcome.Unreachable ignored -> Optional.empty();
                case NftOutcome.Outdated ignored -> Optional.empty();
                case NftOutcome.Applied ignored ->
                    throw new IllegalStateException("the kernel took a batch that deletes what there is not");
            };
        } catch (NetlinkException e) {
            // The first sync meets the same error, and reports it.
            return Optional.empty();
        }
    }

    private static NftSet map(SetName name, NftExpr expression) {
        return NftSet.map(name, NftType.INET_SERVICE, NftType.INET_SERVICE).withExpression(expression);
    }

    /**
     * @param right the message with a counter
     * @param wrong the message with a wrong expression
     * @param last the message that is always refused; if it was not, the kernel did not come that far
     */
    static Optional<String> judge(List<NftOutcome.Problem> problems, int right, int wrong, int last) {
        Optional<String> refused = problems.stream()
                .filter(problem -> problem.index() == right)
                .map(problem -> "the kernel has no counters at elements of maps: " + problem.refusal())
                .findFirst();
        boolean ignoresExpressions = problems.stream().anyMatch(problem -> problem.index() == last)
                && problems.stream().noneMatch(problem -> problem.index() == wrong);
        return refused.or(() ->
                ignoresExpressions ? Optional.of("the kernel has no counters at elements of maps") : Optional.empty());
    }
}
