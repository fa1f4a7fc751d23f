package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.ChangeCoalescer;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.OwnedTable;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftMonitor;
import io.dualstackd.netlink.io.Notification;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftInterest;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The changes that other programs made to a table, as a syncer receives them. */
final class ForeignChanges implements AutoCloseable {
    private final NftMonitor monitor;
    private final TableName table;
    private final OwnedTable ours;
    private final ChangeCoalescer collected = new ChangeCoalescer();

    ForeignChanges(NetNs ns, IpFamily family) throws NetlinkException {
        this.monitor = NftMonitor.open(NetlinkSockets.of(ns), NftInterest.EVERYTHING);
        this.table = TableSets.name(family);
        this.ours = new OwnedTable(table);
    }

    /** Discards the notifications received so far: they are of our own changes. */
    void skipOwn() throws NetlinkException {
        while (!(monitor.next(Duration.ZERO) instanceof Notification.Quiet)) {
            // Not of interest.
        }
    }

    /** Collects the notifications since {@link #skipOwn}: they are of changes by others. */
    void collect() throws NetlinkException {
        for (Notification<NftMonitor.Received> notice = monitor.next(Duration.ZERO);
                !(notice instanceof Notification.Quiet);
                notice = monitor.next(Duration.ZERO)) {
            if (notice instanceof Notification.Changes(var changes)) {
                changes.forEach(each -> foreign(each.change()).ifPresent(collected::add));
            } else {
                collected.add(new ChangedObject.Anything());
            }
        }
    }

    private Optional<ChangedObject> foreign(NftChange change) {
        return ours.judge(change)
                .or(() -> Optional.ofNullable(
                        switch (change) {
                            case NftChange.ChainSet(var chain) -> new ChangedObject.InChain(chain.name());
                            case NftChange.ChainDeleted(var chain) -> new ChangedObject.InChain(chain);
                            case NftChange.RuleSet(var rule) -> new ChangedObject.InRules(rule.chain());
                            case NftChange.RuleDeleted(var rule) -> new ChangedObject.InRules(rule.chain());
                            case NftChange.SetSet(var set) -> new ChangedObject.InSet(set.name());
                            case NftChange.SetDeleted(var set) -> new ChangedObject.InSet(set);
                            case NftChange.TableSet ignored -> new ChangedObject.InTable(table);
                            case NftChange.TableDeleted ignored -> new ChangedObject.InTable(table);
                            default -> null;
                        }));
    }

    Set<ChangedObject> take() {
        return collected.take();
    }

    @Override
    public void close() {
        monitor.close();
    }
}
