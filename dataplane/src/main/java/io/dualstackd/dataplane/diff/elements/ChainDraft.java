package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.rules.nftables.ChainRules;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The chains of one transaction. They are few: one whose content differs is emptied and written anew, in the same transaction, so that
 * no packet meets it half written.
 */
final class ChainDraft {
    private final TableName table;
    private final NftBatch batch;
    private final Map<String, ChainFingerprint> chains;
    private final Function<RuleBody, Fingerprint> print;

    private final Set<String> wanted = new HashSet<>();
    private final List<ChainRules> create = new ArrayList<>();
    private final List<String> remake = new ArrayList<>();
    private final List<ChainRules> write = new ArrayList<>();
    private final Set<String> empty = new HashSet<>();
    private final Set<String> drop = new HashSet<>();

    /** @param chains as they are; changed as if the transaction had been accepted */
    ChainDraft(
            TableName table,
            NftBatch batch,
            Map<String, ChainFingerprint> chains,
            Function<RuleBody, Fingerprint> print) {
        this.table = table;
        this.batch = batch;
        this.chains = chains;
        this.print = print;
    }

    void want(ChainRules chain) {
        String name = chain.name();
        if (!wanted.add(name)) {
            return;
        }
        ChainFingerprint now = new ChainFingerprint(
                chain.hook(), content(chain.rules()), chain.rules().size());
        ChainFingerprint before = chains.put(name, now);
        if (now.equals(before)) {
            return;
        }
        if (before == null) {
            create.add(chain);
        } else if (!before.hook().equals(now.hook())) {
            remake.add(name);
            create.add(chain);
        } else if (before.rules() > 0) {
            empty.add(name);
        }
        write.add(chain);
    }

    private Fingerprint content(List<RuleBody> rules) {
        Fingerprint content = Fingerprint.EMPTY;
        for (RuleBody rule : rules) {
            content = content.then(print.apply(rule));
        }
        return content;
    }

    /** Keeps the chain as it is. */
    void keep(String name) {
        wanted.add(name);
    }

    /** Removes the chain unless another Service wants it. */
    void drop(String name) {
        drop.add(name);
    }

    /** Removes all chains that no Service wanted. */
    void dropRest() {
        drop.addAll(chains.keySet());
    }

    /** Ends the draft: nothing more is wanted or dropped. */
    void settle() {
        drop.removeAll(wanted);
        drop.retainAll(chains.keySet());
    }

    /** The number of chains to be written so far. */
    int written() {
        return write.size();
    }

    /** The number of chains that change, once settled. */
    int count() {
        return write.size() + drop.size();
    }

    void writeNew() {
        for (String name : remake) {
            batch.flush(table.chain(name)).delete(table.chain(name));
        }
        for (ChainRules chain : create) {
            batch.add(chain.hook()
                    .map(hook -> NftChain.of(table.chain(chain.name()), hook))
                    .orElseGet(() -> NftChain.of(table.chain(chain.name()))));
        }
    }

    /** Also empties the chains to delete: they may jump to one another, and use sets to delete. */
    void writeRules() {
        for (ChainRules chain : write) {
            if (empty.contains(chain.name())) {
                batch.flush(table.chain(chain.name()));
            }
            chain.rules().forEach(rule -> batch.append(table.chain(chain.name()), rule));
        }
        drop.forEach(name -> batch.flush(table.chain(name)));
    }

    /** Deletes the emptied chains; nothing may lead to them any more, no verdict of a map of another program either. */
    void writeDeletions() {
        drop.forEach(name -> batch.delete(table.chain(name)));
        chains.keySet().removeAll(drop);
    }
}
