package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.FragmentImage.Place;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.rules.encoding.BuiltInChains;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Encodes the steps of a transaction as messages of a batch, and remembers the origin of each message. */
final class BatchOfOps {
    private final NftBatch batch;
    private final Function<Table, TableName> names;
    private final BiPredicate<Table, String> missingBuiltIn;
    private final List<Origin> byMessage = new ArrayList<>();
    /** Messages that create a table or its built-in chains, by index. */
    private final Map<Integer, Table> tables = new HashMap<>();

    private int ops;

    BatchOfOps(NftBatch batch, Function<Table, TableName> names, BiPredicate<Table, String> missingBuiltIn) {
        this.batch = batch;
        this.names = names;
        this.missingBuiltIn = missingBuiltIn;
    }

    void add(Op op) {
        switch (op) {
            case Op.EnsureTable(Table table, var ignored) -> ensure(table);
            case Op.CreateChain(ChainId chain, var ignored) -> batch.add(NftChain.of(name(chain)));
            case Op.FlushChain(ChainId chain, var ignored) -> batch.flush(name(chain));
            case Op.DeleteChain(ChainId chain, var ignored) -> batch.delete(name(chain));
            case Op.AppendRule(ChainId chain, RuleImage rule, var ignored) -> batch.append(name(chain), body(rule));
            case Op.PlaceRule(ChainId chain, Place place, RuleImage rule, var ignored) -> {
                batch.echo(true);
                switch (place) {
                    case HEAD, AHEAD -> batch.prepend(name(chain), body(rule));
                    case TAIL -> batch.append(name(chain), body(rule));
                }
                batch.echo(false);
            }
            case Op.DeleteRule(ChainId chain, long handle, var ignored) -> batch.deleteRule(name(chain), handle);
        }
        ops++;
        while (byMessage.size() < batch.messages()) {
            byMessage.add(op.origin());
        }
    }

    int size() {
        return ops;
    }

    /** The origin of message {@code index} (from 0); empty for the batch as a whole. */
    Optional<Origin> of(int index) {
        return index >= 0 && index < byMessage.size() ? Optional.of(byMessage.get(index)) : Optional.empty();
    }

    private static RuleBody body(RuleImage rule) {
        return switch (rule) {
            case RuleImage.Expressions expressions -> expressions.body();
            case RuleImage.Entry ignored -> throw new IllegalArgumentException("a rule for iptables legacy: " + rule);
        };
    }

    /** The table that message {@code index} creates, or creates a built-in chain of. */
    Optional<Table> tableOf(int index) {
        return Optional.ofNullable(tables.get(index));
    }

    private void ensure(Table table) {
        TableName name = names.apply(table);
        int first = batch.messages();
        // Without flags, it is active afterwards also if it was dormant.
        batch.add(NftTable.of(name));
        new TreeMap<>(BuiltInChains.of(table)).forEach((chain, hook) -> {
            if (missingBuiltIn.test(table, chain)) {
                batch.add(NftChain.of(name.chain(chain), hook));
            }
        });
        for (int message = first; message < batch.messages(); message++) {
            tables.put(message, table);
        }
    }

    private ChainName name(ChainId chain) {
        return names.apply(chain.table()).chain(chain.name());
    }
}
