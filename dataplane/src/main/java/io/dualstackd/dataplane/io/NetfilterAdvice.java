package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.Refusal;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.SysException;
import java.io.IOException;
import java.util.Set;

/** Explains the kernel's refusals on this machine and what to do about them, in one line. */
public final class NetfilterAdvice {
    /** The errors for a chain type, an expression or a family that the kernel was built without, or whose module cannot be loaded. */
    private static final Set<Errno> UNKNOWN_TO_KERNEL = Set.of(Errno.ENOENT, Errno.EOPNOTSUPP, Errno.EAFNOSUPPORT);

    private static final String NOT_PERMITTED =
            "; changing rules needs CAP_NET_ADMIN in this network namespace: run as root or grant the capability";

    private NetfilterAdvice() {}

    /** Of iptables legacy. */
    public static String ofLegacy(IOException e) {
        return e instanceof SysException sys && sys.errno().equals(Errno.EPERM)
                ? e.getMessage() + NOT_PERMITTED
                : String.valueOf(e.getMessage());
    }

    /** Whether a table of iptables legacy could not be read because this kernel has none of that name. */
    static boolean isMissingTable(SysException e) {
        return e.errno().equals(Errno.ENOENT) || e.errno().equals(Errno.ENOPROTOOPT);
    }

    /** Why a table of iptables legacy is not available. */
    public static String ofLegacy(SysException e, Table table, IpFamily family) {
        if (!isMissingTable(e)) {
            return ofLegacy(e);
        }
        String prefix = switch (family) {
            case IPV4 -> "ip";
            case IPV6 -> "ip6";
        };
        return e.getMessage() + "; this kernel has no table " + table + " of iptables legacy for " + family
                + ": load the modules " + prefix + "_tables and " + prefix + "table_" + table
                + ", or choose --iptables-variant nf_tables";
    }

    public static String of(NetlinkException e) {
        return e instanceof NetlinkException.Refused refused
                ? e.getMessage() + advice(refused.errno())
                : String.valueOf(e.getMessage());
    }

    public static String of(Refusal refusal) {
        return refusal + advice(refusal.errno());
    }

    /** @param table the one that the refused message was to create, or to create a built-in chain of */
    public static String of(Refusal refusal, Table table, IpFamily family) {
        return UNKNOWN_TO_KERNEL.contains(refusal.errno())
                ? refusal + "; this kernel has no " + what(table) + " for " + family + ": load "
                        + modules(table, family)
                : of(refusal);
    }

    /** Whether a refused {@link Table} explains the refusals after it: nothing can be put into a table that does not exist. */
    public static boolean explainsTheRest(Refusal refusal) {
        return UNKNOWN_TO_KERNEL.contains(refusal.errno());
    }

    private static String what(Table table) {
        return switch (table) {
            case NAT -> "NAT";
            case FILTER -> "packet filter";
            case MANGLE -> "packet mangling";
        };
    }

    private static String modules(Table table, IpFamily family) {
        String ipv6 = family == IpFamily.IPV6 ? ", with CONFIG_IPV6 and CONFIG_NF_TABLES_IPV6" : "";
        return switch (table) {
            case NAT -> "nft_chain_nat, or use a kernel with CONFIG_NFT_NAT and CONFIG_NF_NAT" + ipv6;
            case FILTER, MANGLE -> "nf_tables, or use a kernel with CONFIG_NF_TABLES" + ipv6;
        };
    }

    private static String advice(Errno errno) {
        if (errno.equals(Errno.EPERM)) {
            return NOT_PERMITTED;
        }
        if (errno.equals(Errno.EPROTONOSUPPORT)) {
            return "; this kernel has no netfilter netlink (CONFIG_NETFILTER_NETLINK)";
        }
        if (errno.equals(Errno.EOPNOTSUPP)) {
            return "; this kernel lacks what the rule needs: load nft_compat and the xt_* modules of its conditions, or use a"
                    + " kernel with CONFIG_NFT_COMPAT";
        }
        return "";
    }
}
