package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.Refusal;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.sys.Errno;

/** What to do when IPVS is refused: kernels are built without parts of it. */
public final class IpvsAdvice {
    /** The advice for a kernel without IPVS. */
    public static final String MISSING =
            "this kernel has no IPVS, neither built in nor as a module it could load: load the"
                    + " module ip_vs or boot a kernel with CONFIG_IP_VS, or choose mode iptables or nftables (kube-proxy has"
                    + " deprecated mode ipvs; in nftables mode a connection costs as little, however many Services there are)";

    private IpvsAdvice() {}

    /** The advice for a kernel without the scheduler of that name. */
    public static String scheduler(String name) {
        return "this kernel has no IPVS scheduler \"" + name + "\": load the module ip_vs_" + name
                + ", or set ipvs.scheduler (--ipvs-scheduler) to one it has; rr is in most";
    }

    static String of(IpvsChange change, Refusal refusal) {
        String what = change + ": " + refusal;
        if (refusal.errno().equals(Errno.ENOENT) && change instanceof IpvsChange.AddService(IpvsService service)) {
            return what + "; " + scheduler(service.scheduler());
        }
        if (refusal.errno().equals(Errno.EPROTONOSUPPORT) || refusal.errno().equals(Errno.EAFNOSUPPORT)) {
            return what + "; this kernel's IPVS is built without that protocol or family (CONFIG_IP_VS_PROTO_TCP, _UDP,"
                    + " _SCTP, CONFIG_IP_VS_IPV6)";
        }
        return what;
    }

    static String ofLink(NetlinkException.Refused refused) {
        return refused.errno().equals(Errno.EOPNOTSUPP)
                ? refused.getMessage()
                        + "; this kernel has no links of kind dummy: load the module dummy or boot a kernel"
                        + " with CONFIG_DUMMY"
                : String.valueOf(refused.getMessage());
    }
}
