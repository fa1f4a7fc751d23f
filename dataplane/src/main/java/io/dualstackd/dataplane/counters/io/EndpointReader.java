package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.diff.elements.EndpointCounters;
import io.dualstackd.dataplane.diff.elements.EndpointCounters.Reading;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.rules.nftables.AffinityObjects;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.dataplane.rules.nftables.LaneDestination;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.ElementList;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the counters of endpoints in nftables mode: the elements of a port's destinations, by their keys, and the rules that translate to
 * its endpoints where it has session affinity. Nothing is read of ports that are not asked for.
 */
final class EndpointReader {
    private final TableName table;
    private final NetlinkSockets sockets;
    private final EndpointCounters counters;

    /** @param sockets of the namespace with the rules */
    EndpointReader(IpFamily family, NetlinkSockets sockets, EndpointCounters counters) {
        this.table = TableSets.name(family);
        this.sockets = sockets;
        this.counters = counters;
    }

    /** @param asked with all endpoints of each port */
    EndpointCounts read(Collection<CountedEndpoint> asked) {
        Map<ServicePort, List<IpPort>> ports = new LinkedHashMap<>();
        asked.forEach(one ->
                ports.computeIfAbsent(one.port(), key -> new ArrayList<>()).add(one.address()));
        Map<CountedEndpoint, Long> connections = new HashMap<>();
        Optional<String> failed = CounterDump.run(sockets, kernel -> {
            for (Map.Entry<ServicePort, List<IpPort>> port : ports.entrySet()) {
                read(kernel, port.getKey(), port.getValue(), connections);
            }
        });
        return new EndpointCounts(connections, failed);
    }

    private void read(NftClient kernel, ServicePort port, List<IpPort> endpoints, Map<CountedEndpoint, Long> into)
            throws NetlinkException {
        Map<Bytes, IpPort> byKey = new HashMap<>();
        endpoints.forEach(endpoint -> byKey.put(Keys.endpoint(endpoint), endpoint));
        Reading reading = counters.begin();
        switch (port.affinity()) {
            case Affinity.None() -> {
                for (LaneDestination destination : LaneDestination.of(port)) {
                    slots(kernel, destination, endpoints.size(), reading);
                }
            }
            case Affinity.ClientIp ignored -> {
                for (Map.Entry<Bytes, IpPort> endpoint : byKey.entrySet()) {
                    rule(
                            kernel,
                            AffinityObjects.endpointChain(port.name(), endpoint.getValue()),
                            endpoint.getKey(),
                            reading);
                }
            }
        }
        Map<Bytes, Long> packets = counters.end(port.name(), byKey.keySet(), reading);
        byKey.forEach((key, endpoint) -> {
            Long counted = packets.get(key);
            if (counted != null) {
                into.put(new CountedEndpoint(port, endpoint), counted);
            }
        });
    }

    /** Reads up to the first slot that is empty. A destination may have fewer endpoints than its port, or more during a change. */
    private void slots(NftClient kernel, LaneDestination destination, int expected, Reading into)
            throws NetlinkException {
        int next = 0;
        boolean all = true;
        while (all && next < expected) {
            int end = Math.min(expected, next + NftClient.KEYS_AT_ONCE);
            all = slots(kernel, destination, next, end, into);
            next = all ? end : next;
        }
        while (slots(kernel, destination, next, next + 1, into)) {
            next++;
        }
    }

    /** @return false when one of them is empty */
    private boolean slots(NftClient kernel, LaneDestination destination, int from, int to, Reading into)
            throws NetlinkException {
        SetName map = table.set(destination.lane().mapName());
        ElementList keys = new ElementList();
        for (int slot = from; slot < to; slot++) {
            byte[] key = Keys.slot(destination.key(), slot).toArray();
            keys.begin().key(key, 0, key.length).end();
        }
        return kernel.elements(
                map,
                keys,
                element -> into.slot(
                        destination.lane(), element.key(), element.keyLength(), element.value(), element.packets()));
    }

    /** The first rule of the chain with a counter is the one that translates. */
    private void rule(NftClient kernel, String chain, Bytes endpoint, Reading into) throws NetlinkException {
        kernel.rules(table.chain(chain)).stream()
                .map(NftRule::expressions)
                .flatMap(List::stream)
                .filter(Counter.class::isInstance)
                .map(Counter.class::cast)
                .findFirst()
                .ifPresent(counter -> into.rule(endpoint, counter.packets()));
    }
}
