package io.dualstackd.agent.dns.io;

import io.dualstackd.admin.DnsReport;
import io.dualstackd.dns.io.DnsServer;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.supervision.Backoff;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses on which the server receives questions. One that cannot be had is tried again after a growing pause; the others answer
 * meanwhile. One that the node does not have is closed until the node has it: the kernel keeps its sockets, but questions go to the host
 * that has the address now. Used by the thread {@code dns-zone}, except {@link #report}.
 */
final class DnsListeners {
    private static final Logger LOG = LoggerFactory.getLogger("dns");

    /** The words of {@code EADDRNOTAVAIL}. */
    private static final String NOT_HERE = "Cannot assign requested address";

    private static final Backoff RETRY = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final DnsServer server;
    private final NetNs ns;
    private final Predicate<Ip> has;
    private final Platform platform;
    private volatile Map<IpPort, State> states = Map.of();

    /**
     * One address.
     *
     * @param error why it is not open; empty while it is
     * @param failures in a row
     * @param due when to try again, by {@link Platform#nanoTime}
     */
    private record State(Optional<String> error, int failures, long due) {
        static final State OPEN = new State(Optional.empty(), 0, 0);
        static final State NEW = new State(Optional.of("not tried yet"), 0, 0);
    }

    /** @param has whether the node has an address now */
    DnsListeners(DnsServer server, NetNs ns, Predicate<Ip> has, Platform platform) {
        this.has = has;
        this.server = server;
        this.ns = ns;
        this.platform = platform;
    }

    /**
     * Opens and closes addresses.
     *
     * @return whether others are open now
     */
    boolean follow(List<IpPort> wanted) {
        List<IpPort> before = open();
        before.stream().filter(address -> !wanted.contains(address)).forEach(address -> {
            server.unlisten(socketAddress(address));
            LOG.info("DNS closed address={} reason=\"no longer wanted\"", address);
        });
        Map<IpPort, State> now = new LinkedHashMap<>();
        for (IpPort address : wanted) {
            State state = states.getOrDefault(address, State.NEW);
            boolean due = state.failures() == 0 || state.due() - platform.nanoTime() <= 0;
            if (!has.test(address.ip())) {
                now.put(address, missing(address, state));
            } else {
                now.put(address, state.error().isPresent() && due ? tried(address, state) : state);
            }
        }
        states = now;
        return !open().equals(before);
    }

    /** Not opened either, which sysctl {@code ip_nonlocal_bind} would allow. */
    private State missing(IpPort address, State before) {
        if (before.error().isEmpty()) {
            server.unlisten(socketAddress(address));
        }
        Optional<String> why = Optional.of(explained(NOT_HERE, address));
        if (!why.equals(before.error())) {
            LOG.error("DNS not open address={} reason=\"{}\" next=retry", address, why.get());
        }
        // Without failures: it is tried as soon as the node has the address.
        return new State(why, 0, platform.nanoTime() + RETRY.max().toNanos());
    }

    private State tried(IpPort address, State before) {
        try {
            var _ = inNamespace(ns, () -> server.listen(socketAddress(address)));
            LOG.info("DNS open address={}", address);
            return State.OPEN;
        } catch (IOException | RuntimeException e) {
            int failures = before.failures() + 1;
            Duration pause = RETRY.after(failures);
            Optional<String> why =
                    Optional.of(explained(e.getMessage() == null ? e.toString() : e.getMessage(), address));
            if (!why.equals(before.error())) {
                LOG.error("DNS not open address={} reason=\"{}\" next=retry", address, why.get());
            }
            return new State(why, failures, platform.nanoTime() + pause.toNanos());
        }
    }

    /** Adds what to do about it. */
    private static String explained(String reason, IpPort address) {
        if (reason.contains(NOT_HERE)) {
            return "no interface of this node has the address; add it, for example by 'ip address add " + address.ip()
                    + "/" + address.ip().family().bits() + " dev lo'";
        }
        if (reason.contains("Permission denied")) {
            return reason + "; a port below 1024 needs CAP_NET_BIND_SERVICE";
        }
        if (reason.contains("Address already in use")) {
            return reason + "; 'ss -lnp sport = :" + address.port() + "' shows the program that uses it";
        }
        return reason;
    }

    /** How long until an address is tried again; long when all are open. */
    Duration retry() {
        long now = platform.nanoTime();
        return states.values().stream()
                .filter(state -> state.error().isPresent())
                .map(state -> Duration.ofNanos(Math.max(0, state.due() - now)))
                .min(Duration::compareTo)
                .orElse(RETRY.max());
    }

    List<IpPort> open() {
        return states.entrySet().stream()
                .filter(entry -> entry.getValue().error().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    List<DnsReport.Listener> report() {
        return states.entrySet().stream()
                .map(entry -> new DnsReport.Listener(
                        entry.getKey().toString(), entry.getValue().error()))
                .toList();
    }

    private static InetSocketAddress socketAddress(IpPort address) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address.ip().toBytes()), address.port());
        } catch (IOException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    /** Runs the code in the namespace; sockets that it opens stay there, and so do threads that it starts. */
    static <T> T inNamespace(NetNs ns, Callable<T> code) throws IOException {
        try {
            return ns.call(code);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }
}
