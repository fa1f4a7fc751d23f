package io.dualstackd.agent.lab;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;

/**
 * A pod that runs, or ran.
 *
 * @param sandbox the runtime's id
 * @param ips as the runtime reported them right after the start: at most one of each family; none on the host network
 */
public record LabPod(LabPodSpec wish, String sandbox, List<Ip> ips) {
    public LabPod {
        ips = List.copyOf(ips);
    }

    public String name() {
        return wish.name();
    }
}
