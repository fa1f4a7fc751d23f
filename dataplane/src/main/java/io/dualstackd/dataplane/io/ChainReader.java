package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.Recheck;
import io.dualstackd.dataplane.rules.iptables.BuiltIn;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.ChangedObject.Anything;
import io.dualstackd.dataplane.watch.ChangedObject.InChain;
import io.dualstackd.dataplane.watch.ChangedObject.InElements;
import io.dualstackd.dataplane.watch.ChangedObject.InRules;
import io.dualstackd.dataplane.watch.ChangedObject.InSet;
import io.dualstackd.dataplane.watch.ChangedObject.InTable;
import io.dualstackd.netlink.nft.ChainName;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads chains of the kernel: all of them, possibly before the first sync, or those that another program changed. Used by one thread. */
final class ChainReader {
    private final Kernel kernel;
    /** Read before the first sync. */
    private @Nullable KernelChains ahead;
    /** Chains that another program changed since they were last read. */
    private final Set<ChainId> dirty = new HashSet<>();

    ChainReader(Kernel kernel) {
        this.kernel = kernel;
    }

    void readAhead() {
        ahead = kernel.readAhead() instanceof ReadResult.Found(KernelChains found) ? found : null;
    }

    /** Whether a chain that was read ahead is one of these. */
    boolean foundAhead(Predicate<String> names) {
        KernelChains found = ahead;
        return found != null
                && Stream.concat(found.chains().keySet().stream(), found.contents().keySet().stream())
                        .map(ChainId::name)
                        .anyMatch(names);
    }

    /** All chains: those that were read ahead, if nothing has changed since. */
    ReadResult<KernelChains> readAll() {
        KernelChains found = ahead;
        ahead = null;
        return found != null && kernel.isUnchanged() ? new ReadResult.Found<>(found) : kernel.read();
    }

    /** Marks the chains that changed; false when something else changed, too, so that everything has to be compared. */
    boolean markDirty(Set<ChangedObject> changes) {
        for (ChangedObject change : changes) {
            Optional<ChainId> chain = switch (change) {
                case InRules(ChainName name) -> chainOf(name);
                // A built-in chain is created together with its table.
                case InChain(ChainName name) -> chainOf(name).filter(id -> !BuiltIn.contains(id));
                case Anything _, InTable _, InSet _, InElements _ -> Optional.empty();
            };
            if (chain.isEmpty()) {
                return false;
            }
            dirty.add(chain.get());
        }
        return true;
    }

    private static Optional<ChainId> chainOf(ChainName name) {
        return Table.named(name.table().name()).map(table -> new ChainId(table, name.name()));
    }

    boolean hasDirtyChains() {
        return !dirty.isEmpty();
    }

    /** The dirty chains, which are clean again once they are read. */
    ReadResult<Recheck> readDirty() {
        return switch (kernel.read(dirty)) {
            case ReadResult.Failed(String reason) -> new ReadResult.Failed<>(reason);
            case ReadResult.Found(KernelChains found) -> {
                Recheck recheck = new Recheck(dirty, found);
                dirty.clear();
                yield new ReadResult.Found<>(recheck);
            }
        };
    }

    /** Forgets what was read ahead, and which chains are dirty: everything will be read. */
    void clear() {
        ahead = null;
        dirty.clear();
    }
}
