package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.FragmentImage.Place;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Writes the steps of a transaction as messages of a batch, and remembers which message belongs to which step. */
final class BatchOfOps {
    private final NftBatch batch;
    private final IptablesEncoding codec;
    private final Function<Table, TableName> names;
    private final BiPredicate<Table, String> missingBuiltIn;
    private final List<Op> byMessage = new ArrayList<>();

    BatchOfOps(
            NftBatch batch,
            IptablesEncoding codec,
            Function<Table, TableName> names,
            BiPredicate<Table, String> missingBuiltIn) {
        this.batch = batch;
        this.codec = codec;
        this.names = names;
        this.missingBuiltIn = missingBuiltIn;
    }

    void add(Op op) {
        switch (op) {
            case Op.EnsureTable(Table table, var ignored) -> ensure(table);
            case Op.CreateChain(ChainId chain, var ignored) -> batch.add(NftChain.of(name(chain)));
            case Op.FlushChain(ChainId chain, var ignored) -> batch.flush(name(chain));
            case Op.DeleteChain(ChainId chain, var ignored) -> batch.delete(name(chain));
            case Op.AppendRule(ChainId chain, RuleImage rule, var ignored) ->
                batch.append(codec.encode(name(chain), rule.rule()));
            case Op.PlaceRule(ChainId chain, Place place, RuleImage rule, var ignored) -> {
                batch.echo(true);
                switch (place) {
                    case HEAD -> batch.prepend(codec.encode(name(chain), rule.rule()));
                    case TAIL -> batch.append(codec.encode(name(chain), rule.rule()));
                }
                batch.echo(false);
            }
            case Op.DeleteRule(ChainId chain, long handle, var ignored) -> batch.deleteRule(name(chain), handle);
        }
        while (byMessage.size() < batch.messages()) {
            byMessage.add(op);
        }
    }

    /** The step that message {@code index} (from 0) belongs to; none for the batch as a whole. */
    Optional<Op> of(int index) {
        return index >= 0 && index < byMessage.size() ? Optional.of(byMessage.get(index)) : Optional.empty();
    }

    private void ensure(Table table) {
        TableName name = names.apply(table);
        batch.add(NftTable.of(name));
        new TreeMap<>(BuiltInChains.of(table)).forEach((chain, hook) -> {
            if (missingBuiltIn.test(table, chain)) {
                batch.add(NftChain.of(name.chain(chain), hook));
            }
        });
    }

    private ChainName name(ChainId chain) {
        return names.apply(chain.table()).chain(chain.name());
    }
}
