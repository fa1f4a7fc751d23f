package io.dualstackd.dataplane.io.cleanup;

import io.dualstackd.dataplane.io.NetfilterAdvice;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Removes whole tables of nftables mode in one family; one transaction, all or nothing. A table is removed whatever it holds, so
 * concurrent changes of others do not matter.
 */
public final class TableCleanup {
    /** The table of dualstackd. */
    public static final String OURS = TableSets.NAME;
    /** The table of kube-proxy in its nftables mode. */
    public static final String KUBE_PROXY = "kube-proxy";

    private static final int ATTEMPTS = 5;

    private TableCleanup() {}

    /** The result of a cleanup. */
    public sealed interface Result {
        /** None of the tables exists any more. {@code tables} are those that existed before. */
        record Removed(List<TableName> tables) implements Result {
            public Removed {
                tables = List.copyOf(tables);
            }
        }

        /** Nothing was changed. */
        record Failed(String reason) implements Result {}
    }

    /** @param generations accounts for the change */
    public static Result clean(NftClient kernel, IpFamily family, Set<String> tables, Generations generations) {
        try {
            for (int attempt = 1; ; attempt++) {
                List<TableName> found = find(kernel, family, tables);
                if (found.isEmpty()) {
                    return new Result.Removed(found);
                }
                NftBatch batch = NftBatch.begin();
                found.forEach(batch::delete);
                NftOutcome outcome = kernel.apply(batch);
                if (outcome instanceof NftOutcome.Applied applied) {
                    applied.generation().ifPresent(now -> generations.account(now.id()));
                    return new Result.Removed(found);
                }
                // Another program may have deleted one of them; then they are listed again.
                if (attempt == ATTEMPTS || !isGone(outcome)) {
                    return new Result.Failed(
                            switch (outcome) {
                                case NftOutcome.Refused(var problems) ->
                                    problems.stream().map(Object::toString).collect(Collectors.joining("; "));
                                case NftOutcome.Unreachable(NetlinkException reason) -> NetfilterAdvice.of(reason);
                                default -> "the rules were changed by another program: " + outcome;
                            });
                }
            }
        } catch (NetlinkException e) {
            return new Result.Failed(NetfilterAdvice.of(e));
        }
    }

    private static boolean isGone(NftOutcome outcome) {
        return outcome instanceof NftOutcome.Refused(var problems)
                && problems.stream()
                        .allMatch(problem -> problem.refusal().errno().equals(Errno.ENOENT));
    }

    /** Reads the tables one by one: a dump is interrupted by any change of others. */
    private static List<TableName> find(NftClient kernel, IpFamily family, Set<String> tables) throws NetlinkException {
        List<TableName> found = new ArrayList<>();
        for (String table : new TreeSet<>(tables)) {
            TableName name = new TableName(NftFamily.of(family), table);
            if (kernel.table(name).isPresent()) {
                found.add(name);
            }
        }
        return found;
    }
}
