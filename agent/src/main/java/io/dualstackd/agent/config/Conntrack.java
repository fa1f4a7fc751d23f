package io.dualstackd.agent.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Section {@code conntrack}: the kernel's settings for connection tracking. What is zero is left as the kernel has it.
 *
 * @param maxPerCore connections per processor; with 0, {@code min} means nothing
 * @param min connections at least
 */
public record Conntrack(
        int maxPerCore,
        int min,
        Duration tcpEstablishedTimeout,
        Duration tcpCloseWaitTimeout,
        boolean tcpBeLiberal,
        Duration udpTimeout,
        Duration udpStreamTimeout) {
    /** Where the kernel counts connections; the same in all namespaces, and only the first may write it. */
    public static final String MAX = "net/netfilter/nf_conntrack_max";

    /** kube-proxy never asks for more, whatever the number of processors. */
    private static final long CAP = 1_048_576;

    /** Every other setting that is to have a value, by its path below {@code /proc/sys}, with the value. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        seconds(settings, "nf_conntrack_tcp_timeout_established", tcpEstablishedTimeout);
        seconds(settings, "nf_conntrack_tcp_timeout_close_wait", tcpCloseWaitTimeout);
        if (tcpBeLiberal) {
            settings.put("net/netfilter/nf_conntrack_tcp_be_liberal", "1");
        }
        seconds(settings, "nf_conntrack_udp_timeout", udpTimeout);
        seconds(settings, "nf_conntrack_udp_timeout_stream", udpStreamTimeout);
        return settings;
    }

    private static void seconds(Map<String, String> settings, String name, Duration duration) {
        if (duration.isPositive()) {
            // Less than a second must not become the zero that would forget connections at once.
            settings.put("net/netfilter/" + name, Long.toString(Math.max(1, duration.toSeconds())));
        }
    }

    /**
     * How many connections to allow.
     *
     * @param cores processors of this host, 1 or more
     * @return empty to leave it
     */
    public Optional<Long> max(int cores) {
        long scaled = (long) maxPerCore * cores;
        if (scaled == 0) {
            return Optional.empty();
        }
        // The cap wins over the minimum, as in kube-proxy.
        return Optional.of(scaled > CAP ? CAP : Math.max(scaled, min));
    }

    /** Which key of the configuration a setting comes from. */
    public static Key keyOf(String setting) {
        return switch (setting.substring(setting.lastIndexOf('/') + 1)) {
            case "nf_conntrack_tcp_timeout_established" -> Key.CONNTRACK_TCP_ESTABLISHED;
            case "nf_conntrack_tcp_timeout_close_wait" -> Key.CONNTRACK_TCP_CLOSE_WAIT;
            case "nf_conntrack_tcp_be_liberal" -> Key.CONNTRACK_TCP_BE_LIBERAL;
            case "nf_conntrack_udp_timeout" -> Key.CONNTRACK_UDP;
            case "nf_conntrack_udp_timeout_stream" -> Key.CONNTRACK_UDP_STREAM;
            default -> Key.CONNTRACK_MAX_PER_CORE;
        };
    }
}
