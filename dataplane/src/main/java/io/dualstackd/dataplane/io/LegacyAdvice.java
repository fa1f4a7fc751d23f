package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.SysException;
import java.io.IOException;

/** Explains refusals of iptables legacy on this machine and what to do about them, in one line. */
public final class LegacyAdvice {
    private LegacyAdvice() {}

    public static String of(IOException e) {
        return e instanceof SysException sys && sys.errno().equals(Errno.EPERM)
                ? e.getMessage()
                        + "; changing rules needs CAP_NET_ADMIN in this network namespace: run as root or grant the capability"
                : String.valueOf(e.getMessage());
    }

    /** Why a table is not available. */
    public static String of(SysException e, Table table, IpFamily family) {
        if (!e.errno().equals(Errno.ENOENT) && !e.errno().equals(Errno.ENOPROTOOPT)) {
            return of(e);
        }
        String prefix = switch (family) {
            case IPV4 -> "ip";
            case IPV6 -> "ip6";
        };
        return e.getMessage() + "; this kernel has no table " + table + " of iptables legacy for " + family
                + ": load the modules " + prefix + "_tables and " + prefix + "table_" + table
                + ", or choose --iptables-variant nf_tables";
    }
}
