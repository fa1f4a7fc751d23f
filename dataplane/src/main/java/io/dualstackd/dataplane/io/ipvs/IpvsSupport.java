package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.netlink.io.IpvsClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.ipvs.IpvsTimeouts;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.Optional;

/** Checks whether a kernel has what IPVS mode needs; the check makes the kernel load the modules. */
public final class IpvsSupport {
    /** A mark that no packet has: {@code duls}. */
    private static final IpvsKey PROBE = new IpvsKey.Marked(IpFamily.IPV4, 0x64756c73);

    private IpvsSupport() {}

    /**
     * Why IPVS mode cannot work in this namespace, with what to do about it; empty when it can. Leaves the link that holds the
     * addresses of Services behind.
     */
    public static Optional<String> problem(NetNs ns, String scheduler) {
        try (RouteClient links = RouteClient.open(ns)) {
            Optional<IpvsClient> found = IpvsClient.open(ns);
            if (found.isEmpty()) {
                return Optional.of(IpvsAdvice.MISSING);
            }
            try (IpvsClient kernel = found.get()) {
                Optional<String> lacking = probe(kernel, scheduler);
                if (lacking.isPresent()) {
                    return lacking;
                }
            }
            ServiceLink.ensure(links);
            return Optional.empty();
        } catch (NetlinkException.Refused e) {
            return Optional.of(IpvsAdvice.ofLink(e));
        } catch (NetlinkException e) {
            return Optional.of("the kernel's IPVS cannot be reached: " + e.getMessage());
        }
    }

    /**
     * The only way to find out whether a scheduler exists is to make a virtual server with it. One that a killed process left is removed
     * first: it may have another scheduler.
     */
    static Optional<String> probe(IpvsClient kernel, String scheduler) throws NetlinkException {
        IpvsChange add = new IpvsChange.AddService(new IpvsService(PROBE, scheduler, 0, 0, 32));
        IpvsChange delete = new IpvsChange.DeleteService(PROBE);
        List<IpvsChange> changes = List.of(delete, add, delete);
        for (IpvsClient.Refused one : kernel.apply(changes)) {
            if (changes.get(one.index()).equals(add)) {
                return Optional.of(
                        one.refusal().errno().equals(Errno.ENOENT)
                                ? IpvsAdvice.scheduler(scheduler)
                                : "this kernel's IPVS makes no virtual server with scheduler \"" + scheduler + "\": "
                                        + one.refusal());
            }
        }
        return Optional.empty();
    }

    /** Sets these timeouts in the namespace; a zero leaves a timeout unchanged. */
    public static void set(NetNs ns, IpvsTimeouts timeouts) throws NetlinkException {
        Optional<IpvsClient> found = IpvsClient.open(ns);
        if (found.isPresent()) {
            try (IpvsClient kernel = found.get()) {
                kernel.set(timeouts);
            }
        }
    }
}
