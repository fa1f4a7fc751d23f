package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Takes away whole tables of nftables mode in one family; one transaction, all or nothing. */
public final class TableCleanup {
    /** Our own. */
    public static final String OURS = TableSets.NAME;
    /** That of kube-proxy in its nftables mode. */
    public static final String KUBE_PROXY = "kube-proxy";

    private static final int ATTEMPTS = 5;

    private TableCleanup() {}

    /** What a cleanup did. */
    public sealed interface Result {
        /** None of the tables is there any more. {@code tables} were there before. */
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
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                NftClient.Snapshot<List<TableName>> found = kernel.consistently(client -> find(client, family, tables));
                NftBatch batch = NftBatch.begin(found.generation().id());
                found.value().forEach(batch::delete);
                switch (kernel.apply(batch)) {
                    case NftOutcome.Applied applied -> {
                        applied.generation().ifPresent(now -> generations.account(now.id()));
                        return new Result.Removed(found.value());
                    }
                    case NftOutcome.Refused(var problems) -> {
                        return new Result.Failed(
                                problems.stream().map(Object::toString).collect(Collectors.joining("; ")));
                    }
                    case NftOutcome.Unreachable(NetlinkException reason) -> {
                        return new Result.Failed(NetfilterAdvice.of(reason));
                    }
                    case NftOutcome.Outdated() -> {
                        // Somebody else was faster; look again.
                    }
                }
            }
            return new Result.Failed(
                    "the rules were changed by somebody else during each of " + ATTEMPTS + " attempts");
        } catch (NetlinkException e) {
            return new Result.Failed(NetfilterAdvice.of(e));
        }
    }

    private static List<TableName> find(NftClient kernel, IpFamily family, Set<String> tables) throws NetlinkException {
        return kernel.tables(NftFamily.of(family)).stream()
                .map(NftTable::name)
                .filter(name -> tables.contains(name.name()))
                .toList();
    }
}
