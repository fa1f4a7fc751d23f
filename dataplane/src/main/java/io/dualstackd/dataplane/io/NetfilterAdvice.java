package io.dualstackd.dataplane.io;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.Refusal;
import io.dualstackd.netlink.sys.Errno;

/** What the kernel's refusals mean on this machine and what to do about them, in one line. */
final class NetfilterAdvice {
    private NetfilterAdvice() {}

    static String of(NetlinkException e) {
        return e instanceof NetlinkException.Refused refused
                ? e.getMessage() + advice(refused.errno())
                : String.valueOf(e.getMessage());
    }

    static String of(Refusal refusal) {
        return refusal + advice(refusal.errno());
    }

    private static String advice(Errno errno) {
        if (errno.equals(Errno.EPERM)) {
            return "; changing rules needs CAP_NET_ADMIN in this network namespace: run as root or grant the capability";
        }
        if (errno.equals(Errno.EPROTONOSUPPORT)) {
            return "; this kernel has no netfilter netlink (CONFIG_NETFILTER_NETLINK)";
        }
        if (errno.equals(Errno.EOPNOTSUPP)) {
            return "; this kernel lacks what the rule needs: load nft_compat, nft_chain_nat and the xt_* module named, or use"
                    + " a kernel with CONFIG_NF_TABLES, CONFIG_NFT_NAT and CONFIG_NFT_COMPAT";
        }
        return "";
    }
}
