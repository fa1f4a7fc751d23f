package io.dualstackd.dataplane.io.cleanup;

import io.dualstackd.dataplane.io.NetfilterAdvice;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.SteadyChange;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.dataplane.rules.iptables.Ownership.FoundJump;
import io.dualstackd.dataplane.rules.iptables.Ownership.Removal;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.dataplane.watch.OwnedIptablesObjects;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.nft.expr.XtMatchExpr;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtMatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Removes what iptables mode, or a kube-proxy before it, has written in one family; one transaction, all or nothing. */
public final class IptablesCleanup {
    private IptablesCleanup() {}

    /** The result of a cleanup. */
    public sealed interface Result {
        /** All removed; both counts are 0 when there was nothing. {@code kept} are empty chains to which rules of others lead. */
        record Removed(int jumps, int chains, List<String> kept) implements Result {
            public Removed {
                kept = List.copyOf(kept);
            }
        }

        /** Some of it is still there; in iptables legacy, where the tables are changed one by one, the reason names those that are done. */
        record Failed(String reason) implements Result {}
    }

    private record Found(List<ChainId> chains, List<FoundJump> jumps) {}

    /** Selects which of the rules that were found to remove. */
    @FunctionalInterface
    interface Judge {
        Removal judge(Collection<ChainId> chains, Collection<FoundJump> jumps);
    }

    /**
     * @param open opens a socket for what is read and written, and another one for notifications of external changes
     * @param generations accounts for the change
     */
    public static Result clean(NetlinkKernel.Open open, IpFamily family, Generations generations) {
        return clean(open, family, generations, Ownership::cleanup);
    }

    /** Removes the guard before 127.0.0.0/8, as {@link Ownership#guard} defines it; its rule counts as a jump. */
    public static Result cleanGuard(NetlinkKernel.Open open, IpFamily family, Generations generations) {
        return clean(open, family, generations, Ownership::guard);
    }

    /** Whether {@link #cleanGuard} would remove something. */
    public static boolean isGuarded(NetlinkKernel.Open open, IpFamily family) throws NetlinkException {
        try (SteadyChange change = new SteadyChange(open, new OwnedIptablesObjects(family), family)) {
            Found found = change.read(client -> find(client, family));
            return !Ownership.guard(found.chains(), found.jumps()).isNothing();
        }
    }

    private static Result clean(NetlinkKernel.Open open, IpFamily family, Generations generations, Judge judge) {
        try (SteadyChange change = new SteadyChange(open, new OwnedIptablesObjects(family), family)) {
            SteadyChange.Changed<Removal> changed = change.change(
                    client -> {
                        Found found = find(client, family);
                        return judge.judge(found.chains(), found.jumps());
                    },
                    (removal, generation) -> batch(removal, family, generation));
            return switch (changed.outcome()) {
                case NftOutcome.Applied applied -> {
                    applied.generation().ifPresent(now -> generations.account(now.id()));
                    yield removed(changed.found());
                }
                case NftOutcome.Refused(var problems) ->
                    new Result.Failed(problems.stream().map(Object::toString).collect(Collectors.joining("; ")));
                case NftOutcome.Unreachable(NetlinkException reason) -> new Result.Failed(NetfilterAdvice.of(reason));
                case NftOutcome.Outdated() ->
                    new Result.Failed("rules of ours were changed by another program during each attempt");
            };
        } catch (NetlinkException e) {
            return new Result.Failed(NetfilterAdvice.of(e));
        }
    }

    static Result.Removed removed(Removal removal) {
        List<String> kept = removal.flush().stream()
                .filter(chain -> !removal.delete().contains(chain))
                .map(ChainId::toString)
                .toList();
        return new Result.Removed(removal.jumps().size(), removal.delete().size(), kept);
    }

    private static NftBatch batch(Removal removal, IpFamily family, int generation) {
        NftBatch batch = NftBatch.begin(generation);
        removal.jumps().forEach(jump -> batch.deleteRule(name(jump.in(), family), jump.handle()));
        removal.flush().forEach(chain -> batch.flush(name(chain, family)));
        removal.delete().forEach(chain -> batch.delete(name(chain, family)));
        return batch;
    }

    private static Found find(NftClient kernel, IpFamily family) throws NetlinkException {
        List<ChainId> chains = new ArrayList<>();
        List<FoundJump> jumps = new ArrayList<>();
        for (NftChain chain : kernel.chains(NftFamily.of(family))) {
            Optional<Table> table = Table.named(chain.name().table().name());
            if (table.isPresent()) {
                ChainId id = new ChainId(table.get(), chain.name().name());
                chains.add(id);
                // Chain by chain: a dump of a whole table is long, and interrupted by any change of others.
                if (chain.use() > 0) {
                    for (NftRule rule : kernel.rules(chain.name())) {
                        jump(id, rule).ifPresent(jumps::add);
                    }
                }
            }
        }
        return new Found(chains, jumps);
    }

    private static Optional<FoundJump> jump(ChainId in, NftRule rule) {
        String to = "";
        String comment = "";
        boolean always = true;
        for (NftExpr expression : rule.expressions()) {
            if (expression instanceof VerdictExpr(Verdict.Jump(String chain))) {
                to = chain;
            } else if (expression instanceof VerdictExpr(Verdict.Goto(String chain))) {
                to = chain;
                always = false;
            } else if (expression instanceof XtMatchExpr(String extension, int revision, var info)
                    && XtMatch.read(extension, revision, info) instanceof XtComment(String text)) {
                comment = text;
                always = false;
            } else if (!(expression instanceof Counter)) {
                always = false;
            }
        }
        return to.isEmpty() && !Ownership.shared(in)
                ? Optional.empty()
                : Optional.of(new FoundJump(in, to, comment, always, rule.handle()));
    }

    private static ChainName name(ChainId chain, IpFamily family) {
        return name(chain.table(), family).chain(chain.name());
    }

    private static TableName name(Table table, IpFamily family) {
        return new TableName(NftFamily.of(family), table.toString());
    }
}
