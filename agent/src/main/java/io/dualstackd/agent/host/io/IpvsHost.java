package io.dualstackd.agent.host.io;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.dataplane.io.ipvs.IpvsSupport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.ipvs.IpvsTimeouts;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Applies the settings that IPVS mode needs on its host. */
final class IpvsHost {
    private static final IpvsTimeouts UNSAID = new IpvsTimeouts(0, 0, 0);

    /** Without connection tracking no rule can masquerade packets that IPVS forwards, and replies do not belong to any connection. */
    private static final String CONNTRACK = "net/ipv4/vs/conntrack";

    private IpvsHost() {}

    /**
     * Applies the settings of IPVS mode to the host.
     *
     * @return what could not be set, and what to do about it
     * @throws IOException when nothing could work without it
     */
    static List<String> apply(KernelSettings kernel, AgentConfig.Ipvs wanted) throws IOException {
        List<String> notes = new ArrayList<>();
        settings(wanted).forEach((key, value) -> set(kernel, key, value, notes));
        if (!kernel.read(CONNTRACK).equals("1")) {
            throw new IOException("mode ipvs needs " + CONNTRACK.replace('/', '.')
                    + " = 1, and it cannot be set here; set it on the host, or choose mode nftables");
        }
        if (!wanted.timeouts().equals(UNSAID)) {
            try {
                IpvsSupport.set(kernel.ns(), wanted.timeouts());
            } catch (NetlinkException e) {
                throw new IOException("the timeouts of ipvs.tcpTimeout, tcpFinTimeout and udpTimeout cannot be set: "
                        + e.getMessage());
            }
        }
        return notes;
    }

    private static Map<String, String> settings(AgentConfig.Ipvs wanted) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(CONNTRACK, "1");
        // A connection to an endpoint that is gone ends with its next packet, instead of being dropped silently.
        settings.put("net/ipv4/vs/expire_nodest_conn", "1");
        // Session affinity of a client to an endpoint ends when the endpoint gets no new connections.
        settings.put("net/ipv4/vs/expire_quiescent_template", "1");
        if (wanted.strictArp()) {
            settings.put("net/ipv4/conf/all/arp_ignore", "1");
            settings.put("net/ipv4/conf/all/arp_announce", "2");
        }
        return settings;
    }

    private static void set(KernelSettings kernel, String key, String value, List<String> notes) {
        try {
            kernel.set(key, value, "mode-ipvs");
        } catch (NoSuchFileException e) {
            notes.add(key.replace('/', '.') + " does not exist on this kernel");
        } catch (IOException e) {
            notes.add(key.replace('/', '.') + " cannot be set to " + value + " (" + ConntrackSettings.reason(e)
                    + "); set it on the host");
        }
    }
}
