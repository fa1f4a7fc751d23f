package io.dualstackd.agent.host.io;

import io.dualstackd.agent.reconcile.io.ReconcilerFactory;
import io.dualstackd.dataplane.io.checkpoint.CheckpointFile;
import io.dualstackd.dataplane.io.cleanup.IptablesCleanup;
import io.dualstackd.dataplane.io.cleanup.IptablesCleanup.Result;
import io.dualstackd.dataplane.io.cleanup.LegacyCleanup;
import io.dualstackd.dataplane.io.cleanup.TableCleanup;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.kubeapi.snapshot.io.SnapshotFile;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes what dualstackd or a kube-proxy left in a network namespace, and prints what it was: rules, then kernel settings, then the CNI
 * configuration, then the guard that one of these settings needs. A failure does not stop the rest.
 */
public final class HostCleanup {
    private final NetNs ns;
    private final PrintStream out;
    private final PrintStream err;
    private final Set<IpFamily> found = EnumSet.noneOf(IpFamily.class);
    private boolean complete = true;

    public HostCleanup(NetNs ns, PrintStream out, PrintStream err) {
        this.ns = ns;
        this.out = out;
        this.err = err;
    }

    /**
     * Removes everything of every mode, in both families.
     *
     * @param former the kernel settings to restore; empty to leave them
     * @param cni the CNI configurations to remove; empty to leave them
     * @param state the folder with checkpoints of tables and saved objects; empty when it is not known
     * @return false when something stayed that should not
     */
    public boolean everything(Optional<FormerSettings> former, Optional<CniRecord> cni, Optional<Path> state)
            throws NetlinkException {
        for (IpFamily family : IpFamily.values()) {
            try (NftClient kernel = NftClient.open(ns)) {
                report(IptablesCleanup.clean(this::transport, family, new Generations()), family, "");
                tables(kernel, family);
            }
            report(LegacyCleanup.clean(family, ns, lock()), family, " of iptables legacy");
        }
        ipvs();
        boolean wasHere = !found.isEmpty();
        former.ifPresentOrElse(
                record -> settings(record, wasHere),
                () -> out.println("kernel settings stay as they are: no --state-dir is given"));
        cni.ifPresent(this::cni);
        state.ifPresent(this::checkpoints);
        for (IpFamily family : IpFamily.values()) {
            guard(family);
            if (found.add(family)) {
                out.println(family + ": there was nothing to remove");
            }
        }
        return complete;
    }

    private NlTransport transport() throws NetlinkException {
        return NlSocket.open(NlProtocol.NETFILTER, ns);
    }

    private static XtablesLock lock() {
        return XtablesLock.ofHost(ReconcilerFactory.LOCK_TIMEOUT);
    }

    private void report(Result result, IpFamily family, String where) {
        switch (result) {
            case Result.Removed removed -> {
                if (removed.jumps() + removed.chains() > 0) {
                    found(
                            family,
                            "removed " + removed.chains() + " chains" + where + " and " + removed.jumps()
                                    + " jumps to them");
                }
                kept(removed, family);
            }
            case Result.Failed(String reason) -> failed(family, "chains" + where + " stay: " + reason);
        }
    }

    private void kept(Result.Removed removed, IpFamily family) {
        removed.kept()
                .forEach(chain ->
                        found(family, chain + " is empty but kept, because a rule of another program jumps to it"));
    }

    private void tables(NftClient kernel, IpFamily family) {
        switch (TableCleanup.clean(
                kernel, family, Set.of(TableCleanup.OURS, TableCleanup.KUBE_PROXY), new Generations())) {
            case TableCleanup.Result.Removed(var tables) ->
                tables.forEach(table -> found(family, "removed table " + table));
            case TableCleanup.Result.Failed(String reason) -> failed(family, "no table was removed: " + reason);
        }
    }

    private void ipvs() {
        IpvsLeftovers.Outcome outcome = IpvsLeftovers.remove(ns, List.of());
        outcome.removed().forEach(what -> out.println("removed " + what));
        outcome.failed().forEach(this::failed);
    }

    /** @param wasHere whether rules of ours were found, so that settings may have been changed, too */
    private void settings(FormerSettings former, boolean wasHere) {
        try {
            if (wasHere && !former.isRecorded()) {
                out.println("kernel settings stay as they are: " + former.file()
                        + " has no record of changes; if the daemon"
                        + " ran with another --state-dir, run this again with that one");
            }
            for (FormerSettings.Outcome outcome : former.restore()) {
                String name = outcome.key().replace('/', '.');
                switch (outcome) {
                    case FormerSettings.Outcome.Restored restored ->
                        out.println("set " + name + " back from " + restored.was() + " to " + restored.value());
                    case FormerSettings.Outcome.Foreign foreign ->
                        out.println(name + " stays " + foreign.value()
                                + ", which is not the value that dualstackd wanted there");
                    case FormerSettings.Outcome.Gone ignored -> out.println(name + " does not exist any more");
                    case FormerSettings.Outcome.Failed stays -> failed(name + " cannot be set back: " + stays.why());
                }
            }
        } catch (IOException e) {
            failed("kernel settings stay as they are: " + e.getMessage());
        }
    }

    private void checkpoints(Path state) {
        try {
            SnapshotFile.remove(state);
        } catch (IOException e) {
            failed("the saved objects of the API server were not removed: " + e);
        }
        for (IpFamily family : IpFamily.values()) {
            try {
                CheckpointFile.remove(state, family);
            } catch (IOException e) {
                failed(family, "the checkpoint of the table was not removed: " + e);
            }
        }
    }

    private void cni(CniRecord record) {
        try {
            for (CniRecord.Outcome outcome : record.remove()) {
                switch (outcome) {
                    case CniRecord.Outcome.Removed(Path path) ->
                        out.println("removed " + path
                                + ", the CNI configuration; pods that still run end when the runtime has another one");
                    case CniRecord.Outcome.Foreign(Path path) ->
                        out.println(path + " stays: it is no longer the CNI configuration that dualstackd wrote");
                    case CniRecord.Outcome.Failed(Path path, String why) ->
                        failed(path + ", the CNI configuration, cannot be removed: " + why);
                }
            }
        } catch (IOException e) {
            failed("the CNI configuration stays as it is: " + FileErrors.reason(e));
        }
    }

    /** Without it a neighbour on the link would reach 127.0.0.0/8 of a host that routes it. */
    private void guard(IpFamily family) {
        boolean needed = family == IpFamily.IPV4 && LoopbackRoute.isOpen(ns);
        try {
            if (!needed) {
                guard(IptablesCleanup.cleanGuard(this::transport, family, new Generations()), family, "");
                guard(LegacyCleanup.cleanGuard(family, ns, lock()), family, " of iptables legacy");
            } else if (IptablesCleanup.isGuarded(this::transport, family) || LegacyCleanup.isGuarded(family, ns)) {
                found(
                        family,
                        "KUBE-FIREWALL stays while net.ipv4.conf.all.route_localnet, or that of a link, is 1: without it a"
                                + " neighbour on the link could reach 127.0.0.0/8; set it to 0, and run this again");
            }
        } catch (NetlinkException e) {
            failed(family, "KUBE-FIREWALL stays: " + e.getMessage());
        }
    }

    private void guard(Result result, IpFamily family, String where) {
        switch (result) {
            case Result.Removed removed -> {
                if (removed.jumps() + removed.chains() > 0) {
                    found(family, "removed the guard before 127.0.0.0/8" + where + " from KUBE-FIREWALL");
                }
                kept(removed, family);
            }
            case Result.Failed(String reason) -> failed(family, "KUBE-FIREWALL" + where + " stays: " + reason);
        }
    }

    private void found(IpFamily family, String what) {
        found.add(family);
        out.println(family + ": " + what);
    }

    /** It is then unknown whether anything of ours was there. */
    private void failed(IpFamily family, String what) {
        found.add(family);
        failed(family + ": " + what);
    }

    private void failed(String what) {
        complete = false;
        err.println("dualstackd: " + what);
    }
}
