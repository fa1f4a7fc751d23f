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
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what another mode, or a kube-proxy, left in one family, as soon as our mode is in force there: until then the old rules serve, so
 * that there are rules at every moment. Done once per family and start; failures are only logged.
 */
public final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger("leftovers");

    private final ProxyMode mode;
    private final IptablesVariant variant;
    private final NetlinkKernel.Open open;
    private final Generations generations;
    private final NetNs ns;
    private final List<IpPrefix> excluded;
    private final Optional<Path> state;
    private int ipvs;
    private final Set<IpFamily> done = EnumSet.noneOf(IpFamily.class);

    public Leftovers(DaemonSettings settings, NetlinkKernel.Open open, Generations generations) {
        this.variant = settings.variant();
        this.ns = settings.ns();
        this.ipvs = settings.families().size();
        this.mode = settings.mode();
        this.state = settings.state();
        this.excluded = settings.ipvs().excluded();
        this.open = open;
        this.generations = generations;
    }

    /** Receives every status, on the reconciler's thread, so that the reconciler does nothing else meanwhile. */
    public void onStatus(FamilyStatus status) {
        if (status.state() == State.IN_FORCE && first(status.family())) {
            clean(status.family());
        }
    }

    private synchronized boolean first(IpFamily family) {
        return done.add(family);
    }

    private void clean(IpFamily family) {
        try (NftClient kernel = new NftClient(new NetlinkConnection(open.transport()))) {
            switch (mode) {
                case IPTABLES -> {
                    switch (variant) {
                        case NF_TABLES -> legacyChains(family);
                        case LEGACY -> chains(family);
                    }
                    tables(kernel, family, Set.of(TableCleanup.OURS, TableCleanup.KUBE_PROXY));
                    ipvsOnce();
                }
                case IPVS -> {
                    legacyChains(family);
                    tables(kernel, family, Set.of(TableCleanup.OURS, TableCleanup.KUBE_PROXY));
                }
                case NFTABLES -> {
                    chains(family);
                    legacyChains(family);
                    tables(kernel, family, Set.of(TableCleanup.KUBE_PROXY));
                    ipvsOnce();
                }
            }
        } catch (NetlinkException e) {
            failed(family, String.valueOf(e.getMessage()));
        }
    }

    /** Both families share IPVS, so it is removed when the last of them is in force. */
    private synchronized void ipvsOnce() {
        if (--ipvs == 0) {
            IpvsLeftovers.Outcome outcome = IpvsLeftovers.remove(ns, excluded);
            outcome.removed().forEach(what -> LOG.info("removed {}", what));
            outcome.failed().forEach(what -> LOG.error("leftover of IPVS kept: {}", what));
        }
    }

    private void tables(NftClient kernel, IpFamily family, Set<String> names) {
        switch (TableCleanup.clean(kernel, family, names, generations)) {
            case TableCleanup.Result.Removed(var tables) ->
                tables.forEach(table -> LOG.info("removed table=\"{}\" family={}", table, family));
            case TableCleanup.Result.Failed(String reason) -> failed(family, reason);
        }
        if (names.contains(TableCleanup.OURS) && state.isPresent()) {
            checkpoint(state.get(), family);
        }
    }

    private static void checkpoint(Path state, IpFamily family) {
        try {
            CheckpointFile.remove(state, family);
        } catch (IOException e) {
            failed(family, "the checkpoint of the table cannot be removed: " + e);
        }
    }

    private void chains(IpFamily family) {
        log(IptablesCleanup.clean(open, family, generations), family);
    }

    private void legacyChains(IpFamily family) {
        log(LegacyCleanup.clean(family, ns, XtablesLock.ofHost(ReconcilerFactory.LOCK_TIMEOUT)), family);
    }

    private static void log(IptablesCleanup.Result result, IpFamily family) {
        switch (result) {
            case IptablesCleanup.Result.Removed removed -> {
                if (removed.jumps() + removed.chains() > 0) {
                    LOG.info("removed chains={} jumps={} family={}", removed.chains(), removed.jumps(), family);
                }
                removed.kept()
                        .forEach(chain -> LOG.warn(
                                "empty chain kept, a rule of another program jumps to it chain=\"{}\"", chain));
            }
            case IptablesCleanup.Result.Failed(String reason) -> failed(family, reason);
        }
    }

    private static void failed(IpFamily family, String reason) {
        LOG.error("rules of another mode stay family={} reason=\"{}\" next=run-dualstackd-cleanup", family, reason);
    }
}
