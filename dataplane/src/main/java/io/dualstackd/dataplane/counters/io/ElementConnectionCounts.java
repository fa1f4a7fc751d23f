package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.counters.ServedConnections;
import io.dualstackd.dataplane.diff.elements.ElementCounters;
import io.dualstackd.dataplane.diff.elements.EndpointCounters;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.ElementScan;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/**
 * The counters of elements, in nftables mode. The kernel counts in the chains that see the first packet of a connection, so packets of
 * established connections cost nothing.
 */
public final class ElementConnectionCounts implements ConnectionCounts {
    private static final FixedSet[] COUNTED =
            Arrays.stream(FixedSet.values()).filter(FixedSet::counts).toArray(FixedSet[]::new);

    private final IpFamily family;
    private final NetlinkSockets sockets;
    private final ElementCounters counters;
    private final Optional<EndpointReader> endpoints;
    private final ServedConnections<Bytes> servedAddresses = new ServedConnections<>();
    private final ServedConnections<Bytes> servedNodePorts = new ServedConnections<>();
    private final Object reading = new Object();

    /** As the other constructor, where endpoints are not counted. */
    public ElementConnectionCounts(IpFamily family, NetlinkSockets sockets, ElementCounters counters) {
        this(family, sockets, counters, Optional.empty());
    }

    /**
     * @param sockets of the namespace with the rules
     * @param endpoints those of endpoints, where the table counts them
     */
    public ElementConnectionCounts(
            IpFamily family, NetlinkSockets sockets, ElementCounters counters, Optional<EndpointCounters> endpoints) {
        this.family = family;
        this.sockets = sockets;
        this.counters = counters;
        this.endpoints = endpoints.map(each -> new EndpointReader(family, sockets, each));
    }

    @Override
    public IpFamily family() {
        return family;
    }

    /** While there is no table there is nothing to read. */
    @Override
    public Optional<String> refresh() {
        synchronized (reading) {
            ElementCounters.Reading values = counters.begin();
            Optional<String> failed = CounterDump.run(sockets, client -> {
                for (FixedSet set : COUNTED) {
                    read(client, set, values);
                }
            });
            if (failed.isEmpty()) {
                counters.end(values);
            } else {
                counters.abandon();
            }
            servedAddresses.forgetFormer(key -> counters.packets(FixedSet.SERVICE_IPS, key));
            servedNodePorts.forgetFormer(key -> counters.packets(FixedSet.NODE_PORTS, key));
            return failed;
        }
    }

    private void read(NftClient kernel, FixedSet set, ElementCounters.Reading into) throws NetlinkException {
        try {
            ElementScan.Sink ignored = kernel.elements(
                    TableSets.name(family).set(set.setName()),
                    () -> element -> into.add(set, element.key(), element.packets(), element.bytes()));
        } catch (NetlinkException.Refused e) {
            if (!e.errno().equals(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    @Override
    public Attempts clusterIp(Ip address, Proto protocol, int port) {
        Bytes key = Keys.serviceIp(address, protocol, port);
        return new Attempts(
                counters.packets(FixedSet.SERVICE_IPS, key),
                counters.packets(FixedSet.REJECT_IPS, key),
                counters.packets(FixedSet.DROP_IPS, key));
    }

    /** What a policy drops passes the chains of translation first, as others may be served there, and is counted twice. */
    @Override
    public Attempts external(Ip address, Proto protocol, int port) {
        Bytes key = Keys.serviceIp(address, protocol, port);
        long dropped = counters.packets(FixedSet.DROP_IPS, key);
        // Dropped before translation.
        long forbidden = counters.packets(FixedSet.FIREWALL_IPS, key);
        return new Attempts(
                servedAddresses.of(key, counters.packets(FixedSet.SERVICE_IPS, key), dropped),
                counters.packets(FixedSet.REJECT_IPS, key),
                dropped + forbidden);
    }

    /** What a policy drops is counted twice, as at external addresses. */
    @Override
    public Attempts nodePort(Proto protocol, int port) {
        Bytes key = Keys.nodePort(protocol, port);
        long dropped = counters.packets(FixedSet.DROP_NODE_PORTS, key);
        return new Attempts(
                servedNodePorts.of(key, counters.packets(FixedSet.NODE_PORTS, key), dropped),
                counters.packets(FixedSet.REJECT_NODE_PORTS, key),
                dropped);
    }

    @Override
    public EndpointCounts endpoints(Collection<CountedEndpoint> asked) {
        synchronized (reading) {
            return endpoints.map(reader -> reader.read(asked)).orElse(EndpointCounts.NONE);
        }
    }

    @Override
    public Attempts total() {
        return new Attempts(
                counters.total(FixedSet.SERVICE_IPS) + counters.total(FixedSet.NODE_PORTS),
                counters.total(FixedSet.REJECT_IPS) + counters.total(FixedSet.REJECT_NODE_PORTS),
                counters.total(FixedSet.DROP_IPS)
                        + counters.total(FixedSet.DROP_NODE_PORTS)
                        + counters.total(FixedSet.FIREWALL_IPS));
    }
}
