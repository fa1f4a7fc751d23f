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

/** What the kernel tells about others, in the words a pass understands. */
final class Rumours implements AutoCloseable {
    private final NftMonitor monitor;
    private final TableName table;
    private final OwnedTable watchful;
    private final ChangeCoalescer gathered = new ChangeCoalescer();

    Rumours(NetNs ns, IpFamily family) throws NetlinkException {
        this.monitor = NftMonitor.open(NetlinkSockets.of(ns), NftInterest.EVERYTHING);
        this.table = TableSets.name(family);
        this.watchful = new OwnedTable(table);
    }

    /** What was heard up to now was our own doing. */
    void listen() throws NetlinkException {
        while (!(monitor.next(Duration.ZERO) instanceof Notification.Quiet)) {
            // Not of interest.
        }
    }

    /** What was heard since {@link #listen} was somebody else's. */
    void gather() throws NetlinkException {
        for (Notification<NftMonitor.Heard> notice = monitor.next(Duration.ZERO);
                !(notice instanceof Notification.Quiet);
                notice = monitor.next(Duration.ZERO)) {
            if (notice instanceof Notification.Changes(var heard)) {
                heard.forEach(each -> foreign(each.change()).ifPresent(gathered::add));
            } else {
                gathered.add(new ChangedObject.Anything());
            }
        }
    }

    private Optional<ChangedObject> foreign(NftChange change) {
        return watchful.judge(change)
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
        return gathered.take();
    }

    @Override
    public void close() {
        monitor.close();
    }
}
