package io.dualstackd.agent;

import io.dualstackd.dataplane.io.IptablesCleanup;
import io.dualstackd.dataplane.io.LegacyCleanup;
import io.dualstackd.dataplane.io.TableCleanup;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;

/** Takes away what dualstackd or a kube-proxy left in a network namespace, and tells what it was. What fails does not stop the rest. */
final class HostCleanup {
    private final NetNs ns;
    private final PrintStream out;
    private final PrintStream err;
    private final List<IpPrefix> excluded;

    HostCleanup(NetNs ns, PrintStream out, PrintStream err) {
        this(ns, out, err, List.of());
    }

    /** @param excluded virtual servers on these networks are somebody else's */
    HostCleanup(NetNs ns, PrintStream out, PrintStream err, List<IpPrefix> excluded) {
        this.excluded = List.copyOf(excluded);
        this.ns = ns;
        this.out = out;
        this.err = err;
    }

    /** Everything of every mode, in both families; false when something stayed. */
    boolean everything() throws NetlinkException {
        boolean rules = each(true, Set.of(TableCleanup.OURS, TableCleanup.KUBE_PROXY));
        boolean legacy = legacy();
        return ipvs() && rules && legacy;
    }

    private boolean each(boolean chains, Set<String> tables) throws NetlinkException {
        boolean all = true;
        for (IpFamily family : IpFamily.values()) {
            try (NftClient kernel = NftClient.open(ns)) {
                all &= !chains || chains(kernel, family);
                all &= tables(kernel, family, tables);
            }
        }
        return all;
    }

    private boolean chains(NftClient kernel, IpFamily family) {
        IptablesCleanup.Result result = IptablesCleanup.clean(kernel, family, new Generations());
        if (result.equals(new IptablesCleanup.Result.Removed(0, 0, List.of()))) {
            out.println(family + ": nothing of ours was there");
        }
        return told(result, family, "");
    }

    /** Most hosts have nothing there, and need not hear of it. */
    private boolean legacy() {
        boolean all = true;
        for (IpFamily family : IpFamily.values()) {
            all &= told(
                    LegacyCleanup.clean(family, ns, XtablesLock.ofHost(LineParts.LOCK_PATIENCE)),
                    family,
                    " of iptables legacy");
        }
        return all;
    }

    private boolean told(IptablesCleanup.Result result, IpFamily family, String where) {
        return switch (result) {
            case IptablesCleanup.Result.Removed removed -> {
                if (removed.jumps() + removed.chains() > 0) {
                    out.println(family + ": removed " + removed.chains() + " chains" + where + " and " + removed.jumps()
                            + " jumps to them");
                }
                removed.kept()
                        .forEach(chain -> out.println(
                                family + ": " + chain + " is empty but stays, because a rule of others leads to it"));
                yield true;
            }
            case IptablesCleanup.Result.Failed(String reason) -> {
                err.println("dualstackd: " + family + ": no chain" + where + " was removed: " + reason);
                yield false;
            }
        };
    }

    private boolean tables(NftClient kernel, IpFamily family, Set<String> names) {
        return switch (TableCleanup.clean(kernel, family, names, new Generations())) {
            case TableCleanup.Result.Removed(var tables) -> {
                tables.forEach(table -> out.println(family + ": removed table " + table));
                yield true;
            }
            case TableCleanup.Result.Failed(String reason) -> {
                err.println("dualstackd: " + family + ": no table was removed: " + reason);
                yield false;
            }
        };
    }

    private boolean ipvs() {
        IpvsLeftovers.Outcome outcome = IpvsLeftovers.remove(ns, excluded);
        outcome.removed().forEach(what -> out.println("removed " + what));
        outcome.failed().forEach(what -> err.println("dualstackd: " + what));
        return outcome.failed().isEmpty();
    }
}
