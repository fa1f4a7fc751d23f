package io.dualstackd.agent.host.io;

import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.io.ReconcilerFactory;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.checkpoint.CheckpointFile;
import io.dualstackd.dataplane.io.cleanup.IptablesCleanup;
import io.dualstackd.dataplane.io.cleanup.LegacyCleanup;
import io.dualstackd.dataplane.io.cleanup.TableCleanup;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.supervision.Backoff;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what another mode, or a kube-proxy, left in one family, as soon as our mode is in force there: until then the old rules serve, so
 * that there are rules at every moment. Done once per family and start; what fails is tried again with a growing pause, because rules of a
 * kube-proxy that stay would send packets to its endpoints of then.
 */
public final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger("leftovers");
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final ProxyMode mode;
    private final IptablesVariant variant;
    private final NetlinkKernel.Open open;
    private final Generations generations;
    private final NetNs ns;
    /** Removes what IPVS has; called with {@link #ipvsLock}. */
    private final Supplier<IpvsLeftovers.Outcome> ipvs;

    /** Held while IPVS is cleaned: not the lock that each status needs. */
    private final Object ipvsLock = new Object();

    private final Optional<Path> state;
    private final int families;
    /** Those whose rules have been in force; guarded by this. */
    private final Set<IpFamily> inForce = EnumSet.noneOf(IpFamily.class);
    /** The last attempt of each family; guarded by this. */
    private final Map<IpFamily, Attempt> attempts = new EnumMap<>(IpFamily.class);

    /**
     * An attempt to remove everything.
     *
     * @param failures in a row; 0 when it succeeded
     * @param next when the next one is due, by {@link System#nanoTime}
     * @param reasons why it failed; empty when it succeeded
     */
    private record Attempt(int failures, long next, List<String> reasons) {}

    public Leftovers(DaemonSettings settings, NetlinkKernel.Open open, Generations generations) {
        this(
                settings,
                open,
                generations,
                () -> IpvsLeftovers.remove(settings.ns(), settings.ipvs().excluded()));
    }

    Leftovers(
            DaemonSettings settings,
            NetlinkKernel.Open open,
            Generations generations,
            Supplier<IpvsLeftovers.Outcome> ipvs) {
        this.variant = settings.variant();
        this.ns = settings.ns();
        this.families = settings.families().size();
        this.mode = settings.mode();
        this.state = settings.state();
        this.ipvs = ipvs;
        this.open = open;
        this.generations = generations;
    }

    /** Receives every status, on the reconciler's thread, so that the reconciler does nothing else meanwhile. */
    public void onStatus(FamilyStatus status) {
        if (status.state() == State.IN_FORCE && isDue(status.family())) {
            attempt(status.family());
        }
    }

    private synchronized boolean isDue(IpFamily family) {
        Attempt last = attempts.get(family);
        return last == null || (last.failures > 0 && System.nanoTime() - last.next >= 0);
    }

    /** What could not be removed at the last attempt, and why, and what was written since: one sentence for each. Asks the kernel. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        Map<IpFamily, Attempt> made;
        synchronized (this) {
            made = Map.copyOf(attempts);
        }
        made.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(each -> {
            IpFamily family = each.getKey();
            each.getValue()
                    .reasons
                    .forEach(reason -> notes.add("what another mode left in " + family
                            + " could not be removed and is tried again: " + reason));
            if (each.getValue().failures == 0) {
                returned(family)
                        .ifPresent(what -> notes.add("a kube-proxy has written " + family + " rules since the start ("
                                + what + "), which may come before those of dualstackd; stop it, then restart"
                                + " dualstackd, which removes them"));
            }
        });
        return notes;
    }

    /** Where a kube-proxy has rules that our mode does not use; empty also when that cannot be asked. */
    private Optional<String> returned(IpFamily family) {
        NftFamily of = NftFamily.of(family);
        TableName table = new TableName(of, TableCleanup.KUBE_PROXY);
        // Others may keep KUBE-SERVICES, by a jump to it; this one has no meaning for anybody else.
        ChainName chain = new TableName(of, "nat").chain(ChainNames.CANARY);
        try (NftClient kernel = new NftClient(new NetlinkConnection(open.transport()))) {
            if (kernel.table(table).isPresent()) {
                return Optional.of("table " + table);
            }
            return mode == ProxyMode.NFTABLES && kernel.chain(chain).isPresent()
                    ? Optional.of("chain " + chain)
                    : Optional.empty();
        } catch (NetlinkException e) {
            return Optional.empty();
        }
    }

    /** Only the family's own reconciler calls this. */
    private void attempt(IpFamily family) {
        List<String> reasons = clean(family);
        Attempt last;
        synchronized (this) {
            last = attempts.getOrDefault(family, new Attempt(0, 0, List.of()));
            int failures = reasons.isEmpty() ? 0 : last.failures + 1;
            long pause = failures == 0 ? 0 : BACKOFF.after(failures).toNanos();
            attempts.put(family, new Attempt(failures, System.nanoTime() + pause, reasons));
        }
        reasons.stream()
                .filter(reason -> !last.reasons.contains(reason))
                .forEach(reason ->
                        LOG.error("rules of another mode stay family={} reason=\"{}\" next=try-again", family, reason));
    }

    /** Returns what stays, and why. */
    private List<String> clean(IpFamily family) {
        List<String> failed = new ArrayList<>();
        try (NftClient kernel = new NftClient(new NetlinkConnection(open.transport()))) {
            switch (mode) {
                case IPTABLES -> {
                    switch (variant) {
                        case NF_TABLES -> legacyChains(family, failed);
                        case LEGACY -> chains(family, failed);
                    }
                    tables(kernel, family, Set.of(TableCleanup.OURS, TableCleanup.KUBE_PROXY), failed);
                    ipvs(family, failed);
                }
                case IPVS -> {
                    legacyChains(family, failed);
                    tables(kernel, family, Set.of(TableCleanup.OURS, TableCleanup.KUBE_PROXY), failed);
                }
                case NFTABLES -> {
                    chains(family, failed);
                    legacyChains(family, failed);
                    tables(kernel, family, Set.of(TableCleanup.KUBE_PROXY), failed);
                    ipvs(family, failed);
                }
            }
        } catch (NetlinkException e) {
            failed.add(String.valueOf(e.getMessage()));
        }
        return failed;
    }

    /** Both families share IPVS, so it is removed when the last of them is in force. */
    private void ipvs(IpFamily family, List<String> failed) {
        synchronized (this) {
            inForce.add(family);
            if (inForce.size() < families) {
                return;
            }
        }
        IpvsLeftovers.Outcome outcome;
        synchronized (ipvsLock) {
            outcome = ipvs.get();
        }
        outcome.removed().forEach(what -> LOG.info("removed {}", what));
        failed.addAll(outcome.failed());
    }

    private void tables(NftClient kernel, IpFamily family, Set<String> names, List<String> failed) {
        switch (TableCleanup.clean(kernel, family, names, generations)) {
            case TableCleanup.Result.Removed(var tables) ->
                tables.forEach(table -> LOG.info("removed table=\"{}\" family={}", table, family));
            case TableCleanup.Result.Failed(String reason) -> failed.add(reason);
        }
        if (names.contains(TableCleanup.OURS) && state.isPresent()) {
            try {
                CheckpointFile.remove(state.get(), family);
            } catch (IOException e) {
                failed.add("the checkpoint of the table cannot be removed: " + e);
            }
        }
    }

    private void chains(IpFamily family, List<String> failed) {
        take(IptablesCleanup.clean(open, family, generations), family, failed);
    }

    private void legacyChains(IpFamily family, List<String> failed) {
        take(LegacyCleanup.clean(family, ns, XtablesLock.ofHost(ReconcilerFactory.LOCK_TIMEOUT)), family, failed);
    }

    private static void take(IptablesCleanup.Result result, IpFamily family, List<String> failed) {
        switch (result) {
            case IptablesCleanup.Result.Removed removed -> {
                if (removed.jumps() + removed.chains() > 0) {
                    LOG.info("removed chains={} jumps={} family={}", removed.chains(), removed.jumps(), family);
                }
                removed.kept()
                        .forEach(chain -> LOG.warn(
                                "empty chain kept, a rule of another program jumps to it chain=\"{}\"", chain));
            }
            case IptablesCleanup.Result.Failed(String reason) -> failed.add(reason);
        }
    }
}
