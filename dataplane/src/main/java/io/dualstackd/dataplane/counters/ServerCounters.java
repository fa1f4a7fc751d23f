package io.dualstackd.dataplane.counters;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of virtual servers as last read, of one family in IPVS mode. The kernel's counters live as long as the server; a count that
 * became smaller was reset, or another program removed the server, and goes on. Only a server that no Service wants any more loses its count.
 *
 * <p>Safe for use by several threads.
 */
public final class ServerCounters {
    private final Map<IpvsKey.At, Count> counts = new HashMap<>();
    /** Addresses of Services, which are made the node's own for IPVS; node ports do not answer on them. */
    private Set<Ip> held = Set.of();

    private long retired;
    /** Servers that were removed since a reading began, which may have found them; null while nothing is read. */
    private @Nullable Set<IpvsKey.At> removedMeanwhile;

    private static final class Count {
        private long last;
        private long base;

        void read(long value) {
            base += value < last ? last : 0;
            last = value;
        }

        long shown() {
            return base + last;
        }
    }

    /** Begins a reading; only one at a time. */
    public synchronized void begin() {
        removedMeanwhile = new HashSet<>();
    }

    /**
     * Ends a reading: its values are the current ones. A server that was not found keeps its last value.
     *
     * @param connections of each virtual server
     * @param ofServices addresses that are the node's own for IPVS only
     */
    public synchronized void end(Map<IpvsKey.At, Long> connections, Set<Ip> ofServices) {
        Set<IpvsKey.At> removed = removedMeanwhile;
        removedMeanwhile = null;
        held = Set.copyOf(ofServices);
        connections.forEach((server, value) -> {
            if (removed == null || !removed.contains(server)) {
                counts.computeIfAbsent(server, key -> new Count()).read(value);
            }
        });
    }

    /** Ends a reading that failed. */
    public synchronized void abandon() {
        removedMeanwhile = null;
    }

    /** Tells that no Service wants a server any more. One that is made in its place begins at zero. */
    public synchronized void removed(IpvsKey.At server) {
        if (removedMeanwhile != null) {
            removedMeanwhile.add(server);
        }
        Count gone = counts.remove(server);
        retired += gone == null ? 0 : gone.shown();
    }

    /** Tells which servers Services want: others lose their counts, also those that another program had removed. */
    public synchronized void retain(Set<IpvsKey.At> wanted) {
        for (IpvsKey.At server : List.copyOf(counts.keySet())) {
            if (!wanted.contains(server)) {
                removed(server);
            }
        }
    }

    /** The connections of one server, as far as they were read. */
    public synchronized long connections(IpvsKey.At server) {
        Count count = counts.get(server);
        return count == null ? 0 : count.shown();
    }

    /** The connections to a port of all addresses of the node on which node ports answer. */
    public synchronized long nodePort(Proto protocol, int port) {
        long sum = 0;
        for (Map.Entry<IpvsKey.At, Count> each : counts.entrySet()) {
            IpvsKey.At server = each.getKey();
            if (server.port() == port && server.protocol().equals(protocol) && !held.contains(server.address())) {
                sum += each.getValue().shown();
            }
        }
        return sum;
    }

    /** The connections of all servers, those included that are gone. */
    public synchronized long total() {
        return retired + counts.values().stream().mapToLong(Count::shown).sum();
    }
}
