package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.rules.nftables.KeyShape;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The counters of endpoints as last read, of one family. An endpoint has one in each place that leads to it: its slot of each
 * destination, or its chain for session affinity. When it gets another slot, or its element is written anew, the counter begins at zero;
 * what was read before is remembered here and added, so that a count that was shown never becomes smaller while the port has the
 * endpoint. Only ports that were asked for are remembered. Safe for use by several threads, but only one may read at a time.
 */
public final class EndpointCounters {
    private static final int LANE = 1;
    private static final int LONGEST = LANE + 2 * 16 + 3 * Integer.BYTES;
    /** Behind the numbers of lanes. */
    private static final byte AFFINITY = 0x7f;

    private final int placeLength;
    private final int endpointLength;
    private final Map<ServiceKey, Map<ServicePortName, Counted>> ports = new HashMap<>();

    /**
     * What was counted at a port.
     *
     * @param last packets by place and endpoint
     * @param lost packets by endpoint: the counters that were last read before they were lost
     */
    private record Counted(PackedTable last, Map<Bytes, Long> lost) {}

    public EndpointCounters(IpFamily family) {
        placeLength = LANE + Elements.length(family, KeyShape.SERVICE_IP_SLOT);
        endpointLength = Elements.endpointLength(family);
    }

    /** The counters of one port in the kernel, to be given to {@link #end}. Used by one thread. */
    public final class Reading {
        private final PackedTable found = new PackedTable(placeLength + endpointLength, Long.BYTES);
        private final byte[] key = new byte[LONGEST + 2 * 16];
        private final byte[] value = new byte[Long.BYTES];

        private Reading() {}

        /**
         * Adds an element of a map of endpoints.
         *
         * @param slot its key, of {@link Lane#slot}
         * @param endpoint its value
         */
        @SuppressWarnings("EnumOrdinal") // forgotten when the process ends
        public void slot(Lane lane, byte[] slot, int length, byte[] endpoint, long packets) {
            Arrays.fill(key, 0, placeLength, (byte) 0);
            key[0] = (byte) lane.ordinal();
            System.arraycopy(slot, 0, key, LANE, length);
            add(endpoint, packets);
        }

        /** Adds the rule that leads clients with session affinity to an endpoint. */
        public void rule(Bytes endpoint, long packets) {
            Arrays.fill(key, 0, placeLength, (byte) 0);
            key[0] = AFFINITY;
            add(endpoint.toArray(), packets);
        }

        private void add(byte[] endpoint, long packets) {
            System.arraycopy(endpoint, 0, key, placeLength, endpointLength);
            ByteBuffer.wrap(value).putLong(packets);
            found.add(key, 0, value, 0);
        }
    }

    /** Begins the reading of one port. */
    public Reading begin() {
        return new Reading();
    }

    /**
     * Ends a reading: its values are the current ones.
     *
     * @param endpoints all that the port has, as in {@link io.dualstackd.dataplane.rules.nftables.Keys#endpoint}; others are forgotten
     * @return the packets of those that are counted
     */
    public synchronized Map<Bytes, Long> end(ServicePortName port, Set<Bytes> endpoints, Reading reading) {
        PackedTable now = reading.found;
        Map<ServicePortName, Counted> ofService = ports.computeIfAbsent(port.service(), key -> new HashMap<>());
        Counted before = ofService.get(port);
        Map<Bytes, Long> lost = new HashMap<>();
        if (before != null) {
            lost.putAll(before.lost());
            PackedTable last = before.last();
            last.left(element -> {
                int same = now.find(last.content(element), last.keyAt(element));
                long shown = packets(last, element);
                if (same < 0 || packets(now, same) < shown) {
                    lost.merge(endpoint(last, element), shown, Long::sum);
                }
            });
            lost.keySet().retainAll(endpoints);
        }
        Map<Bytes, Long> sums = new HashMap<>(lost);
        now.left(element -> {
            Bytes endpoint = endpoint(now, element);
            if (endpoints.contains(endpoint)) {
                sums.merge(endpoint, packets(now, element), Long::sum);
            }
        });
        ofService.put(port, new Counted(now, lost));
        return sums;
    }

    /** Forgets what was counted for a Service, which is gone. */
    public synchronized void forget(ServiceKey service) {
        ports.remove(service);
    }

    /** Forgets what was counted for all Services except these. */
    public synchronized void retain(Set<ServiceKey> services) {
        ports.keySet().retainAll(services);
    }

    private Bytes endpoint(PackedTable table, int element) {
        int from = table.keyAt(element) + placeLength;
        return Bytes.of(table.content(element), from, from + endpointLength);
    }

    private static long packets(PackedTable table, int element) {
        return ByteBuffer.wrap(table.content(element), table.valueAt(element), Long.BYTES)
                .getLong();
    }
}
