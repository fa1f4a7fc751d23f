package io.dualstackd.agent;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.sys.Capabilities;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.util.Optional;

/** What must be so before it makes sense to start: asked once, answered in one line. */
final class Preflight {
    private Preflight() {}

    /** Why nothing can work here, with what to do about it; empty when all is well. */
    static Optional<String> problem(NetNs ns) throws IOException {
        if (!Capabilities.current().has(Capabilities.NET_ADMIN)) {
            return Optional.of(
                    "programming rules needs CAP_NET_ADMIN, which this process does not have: run it as root, or"
                            + " give it the capability (systemd: AmbientCapabilities=CAP_NET_ADMIN)");
        }
        try (NftClient kernel = NftClient.open(ns)) {
            kernel.generation();
            return Optional.empty();
        } catch (NetlinkException.Refused e) {
            return Optional.of(
                    e.errno().equals(Errno.EPERM)
                            ? "the kernel refuses to talk about rules (" + e.errno()
                                    + "): CAP_NET_ADMIN must be held in the user namespace that owns this network namespace"
                            : "this kernel has no nf_tables (" + e.errno()
                                    + "): load the module nf_tables, or boot a kernel with CONFIG_NF_TABLES");
        } catch (NetlinkException e) {
            return Optional.of("the kernel's netfilter cannot be reached (" + e.getMessage()
                    + "): a kernel with CONFIG_NETFILTER_NETLINK is needed");
        }
    }
}
