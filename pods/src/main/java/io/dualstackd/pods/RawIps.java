package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.List;

/**
 * What a runtime says about a sandbox's addresses, taken whole or not at all: one text that is no address makes the rest doubtful, too.
 * Texts stay as they are; {@link PodIps} reads them.
 */
public final class RawIps {
    private RawIps() {}

    /**
     * @param ip the sandbox's {@code network.ip}; empty for host-network sandboxes, whose {@code additional} count all the same
     * @param additional {@code network.additional_ips}
     * @return in the given order, with repetitions; empty when a text cannot be read as an address
     */
    public static List<String> of(String ip, List<String> additional) {
        List<String> raw = new ArrayList<>(1 + additional.size());
        if (!ip.isEmpty()) {
            raw.add(ip);
        }
        raw.addAll(additional);
        return raw.stream().allMatch(RawIps::isAddress) ? List.copyOf(raw) : List.of();
    }

    /** As runtimes of all ages write addresses, leading zeros included. */
    static boolean isAddress(String text) {
        try {
            Ip.parseLenient(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
