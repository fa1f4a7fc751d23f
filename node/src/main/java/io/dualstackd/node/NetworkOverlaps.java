package io.dualstackd.node;

import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.List;

/** Finds networks of Services that overlap networks used for something else: addresses of both would go to Services only. */
public final class NetworkOverlaps {
    private NetworkOverlaps() {}

    /**
     * A network and what it is for.
     *
     * @param place where it is set: {@code --pod-cidr}, {@code interface eth0}
     */
    public record Network(IpPrefix prefix, String place) {}

    /** One sentence for each pair that overlaps, with both places and values. */
    public static List<String> between(List<Network> services, List<Network> others) {
        List<String> sentences = new ArrayList<>();
        for (Network service : services) {
            for (Network other : others) {
                if (overlap(service.prefix, other.prefix)) {
                    sentences.add("network " + service.prefix + " of Services (" + service.place + ") overlaps "
                            + other.prefix + " (" + other.place
                            + "): packets to addresses that are in both may reach Services instead; use another network"
                            + " for one of them");
                }
            }
        }
        return sentences.stream().distinct().toList();
    }

    private static boolean overlap(IpPrefix a, IpPrefix b) {
        return a.family() == b.family() && (a.contains(b) || b.contains(a));
    }
}
