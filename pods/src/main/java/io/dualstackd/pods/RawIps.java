package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of a sandbox as the runtime reports them, accepted as a whole or not at all: if one text is not an address, the others are
 * not trusted either. Texts stay as they are; {@link PodIps} parses them.
 */
public final class RawIps {
    private RawIps() {}

    /**
     * @param ip the sandbox's {@code network.ip}; empty for host-network sandboxes, whose {@code additional} addresses are used all the
     *     same
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

    /** Accepts addresses in all forms written by old and new runtimes, leading zeros included. */
    static boolean isAddress(String text) {
        try {
            Ip.parseLenient(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
