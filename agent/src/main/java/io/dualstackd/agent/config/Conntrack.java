package io.dualstackd.agent.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Section {@code conntrack}: the kernel's settings for connection tracking. A zero leaves the kernel's value unchanged.
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
    /** The kernel's limit of connections; the same in all namespaces, and only the initial one may write it. */
    public static final String MAX = "net/netfilter/nf_conntrack_max";

    /** The highest limit that kube-proxy sets, whatever the number of processors. */
    private static final long CAP = 1_048_576;

    /** Every other setting with a configured value, by its path below {@code /proc/sys}. */
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
            // A duration below a second must not become zero, with which connections would expire at once.
            settings.put("net/netfilter/" + name, Long.toString(Math.max(1, duration.toSeconds())));
        }
    }

    /**
     * Returns how many connections to allow.
     *
     * @param cores processors of this host, 1 or more
     * @return empty to leave it
     */
    public Optional<Long> max(int cores) {
        long scaled = (long) maxPerCore * cores;
        if (scaled == 0) {
            return Optional.empty();
        }
        // The cap takes precedence over the minimum, as in kube-proxy.
        return Optional.of(scaled > CAP ? CAP : Math.max(scaled, min));
    }

    /** The key of the configuration that a kernel setting comes from. */
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
