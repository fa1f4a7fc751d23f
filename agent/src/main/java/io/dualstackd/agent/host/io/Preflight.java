package io.dualstackd.agent.host.io;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.dataplane.io.ipvs.IpvsSupport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.sys.Capabilities;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks the requirements of a start once, and returns the first problem in one line. */
public final class Preflight {
    private static final Path IPV6_ADDRESSES = Path.of("/proc/self/net/if_inet6");

    private Preflight() {}

    /** Why nothing can work here, with what to do about it; empty when there is no problem. */
    public static Optional<String> problem(NetNs ns) throws IOException {
        if (!Capabilities.current().has(Capabilities.NET_ADMIN)) {
            return Optional.of(
                    "programming rules needs CAP_NET_ADMIN, which this process does not have: run it as root, or"
                            + " give it the capability (systemd: AmbientCapabilities=CAP_NET_ADMIN)");
        }
        return problem(() -> NftClient.open(ns));
    }

    /** Why nothing can work here in this mode; empty when there is no problem. */
    public static Optional<String> problem(NetNs ns, AgentConfig config) {
        return switch (config.mode()) {
            case IPTABLES, NFTABLES -> Optional.empty();
            case IPVS -> IpvsSupport.problem(ns, config.ipvs().servers().scheduler());
        };
    }

    /** Opens a socket to the kernel's rules. */
    interface Opener {
        NftClient open() throws NetlinkException;
    }

    public static Optional<String> problem(Opener opener) {
        try (NftClient kernel = opener.open()) {
            kernel.generation();
            return Optional.empty();
        } catch (NetlinkException.Refused e) {
            return Optional.of(
                    e.errno().equals(Errno.EPERM)
                            ? "the kernel refuses access to its rules (" + e.errno()
                                    + "): CAP_NET_ADMIN must be held in the user namespace that owns this network namespace"
                            : "this kernel has no nf_tables (" + e.errno()
                                    + "): load the module nf_tables, or boot a kernel with CONFIG_NF_TABLES");
        } catch (NetlinkException e) {
            return Optional.of("the kernel's netfilter cannot be reached (" + e.getMessage()
                    + "): a kernel with CONFIG_NETFILTER_NETLINK is needed");
        }
    }

    /** Why the demo cannot work here; empty when it can. */
    public static Optional<String> demoProblem() throws IOException {
        Capabilities own = Capabilities.current();
        if (!own.has(Capabilities.SYS_ADMIN) || !own.has(Capabilities.NET_ADMIN)) {
            return Optional.of("the demo needs root for its network namespaces (CAP_SYS_ADMIN and CAP_NET_ADMIN)");
        }
        // Java reads this file once, before its first socket; whether the kernel supports IPv6 does not matter.
        if (!Files.exists(IPV6_ADDRESSES) || Files.readString(IPV6_ADDRESSES).isEmpty()) {
            return Optional.of("the demo needs an IPv6 address on this host, be it only ::1, because Java makes no IPv6"
                    + " sockets otherwise: ip link set lo up; sysctl -w net.ipv6.conf.lo.disable_ipv6=0");
        }
        return Optional.empty();
    }
}
