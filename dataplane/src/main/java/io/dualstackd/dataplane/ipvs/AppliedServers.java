package io.dualstackd.dataplane.ipvs;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel is believed to hold, and for whom. Owned by one line. Mutable, because a change of one Service must not cost a copy
 * of ten thousand.
 */
public final class AppliedServers {
    /** A virtual server in the kernel. */
    static final class Held {
        IpvsService service;
        /** New connections come to these. */
        final Set<IpPort> serving = new HashSet<>();
        /** No new connections come to these; when they began to wait for their last ones to end. */
        final Map<IpPort, Long> leaving = new HashMap<>();

        boolean held;

        @Nullable
        ServiceKey owner;

        Held(IpvsService service) {
            this.service = service;
        }
    }

    private final Map<IpvsKey.At, Held> servers = new HashMap<>();
    private final Map<ServiceKey, List<IpvsKey.At>> ofService = new HashMap<>();
    /** Servers that several Services want: those that have to wait for the owner to go. */
    private final Map<IpvsKey.At, Set<ServiceKey>> waiting = new HashMap<>();
    /** How many servers hold an address. */
    private final Map<Ip, Integer> holders = new HashMap<>();
    /** What is on the link. */
    private final Set<Ip> addresses;

    /** Servers with destinations that leave. */
    private final Set<IpvsKey.At> leavers = new HashSet<>();

    private int destinations;

    /** @param now a moment in nanoseconds: what was found without weight begins to leave then */
    public AppliedServers(FoundServers found, long now) {
        addresses = new HashSet<>(found.addresses());
        found.servers().forEach((key, server) -> {
            Held held = new Held(server.service());
            server.weights().forEach((address, weight) -> {
                if (weight == 0) {
                    held.leaving.put(address, now);
                } else {
                    held.serving.add(address);
                }
            });
            destinations += held.serving.size();
            servers.put(key, held);
        });
    }

    Optional<Held> find(IpvsKey.At key) {
        return Optional.ofNullable(servers.get(key));
    }

    void put(IpvsKey.At key, Held held) {
        servers.put(key, held);
    }

    void remove(IpvsKey.At key) {
        Held gone = servers.remove(key);
        if (gone != null) {
            destinations -= gone.serving.size();
        }
    }

    void counted(int more) {
        destinations += more;
    }

    Set<Ip> addresses() {
        return addresses;
    }

    /** One more server needs the address. */
    void hold(Ip ip) {
        holders.merge(ip, 1, Integer::sum);
    }

    /** One server less needs it; true when that was the last. */
    boolean letGo(Ip ip) {
        return holders.merge(ip, -1, (a, b) -> a + b == 0 ? null : a + b) == null;
    }

    boolean isHeld(Ip ip) {
        return holders.containsKey(ip);
    }

    /** Those of a Service, in no order. */
    List<IpvsKey.At> of(ServiceKey service) {
        return ofService.getOrDefault(service, List.of());
    }

    void own(ServiceKey service, Collection<IpvsKey.At> keys) {
        if (keys.isEmpty()) {
            ofService.remove(service);
        } else {
            ofService.put(service, List.copyOf(keys));
        }
    }

    void wait(IpvsKey.At key, ServiceKey service) {
        waiting.computeIfAbsent(key, ignored -> new HashSet<>()).add(service);
    }

    /** Nobody waits for it any more. Those that did are to be looked at again. */
    Set<ServiceKey> waited(IpvsKey.At key) {
        Set<ServiceKey> waited = waiting.remove(key);
        return waited == null ? Set.of() : waited;
    }

    /** Those nobody wants. */
    List<IpvsKey.At> withoutOwner() {
        List<IpvsKey.At> nobodys = new ArrayList<>();
        servers.forEach((key, held) -> {
            if (held.owner == null) {
                nobodys.add(key);
            }
        });
        return nobodys;
    }

    /** Services that have anything in the kernel. */
    public Set<ServiceKey> services() {
        return Set.copyOf(ofService.keySet());
    }

    public int serverCount() {
        return servers.size();
    }

    /** Those that get new connections. */
    public int destinationCount() {
        return destinations;
    }

    /** Destinations that wait for their last connection to end, with the moment they began. */
    public Map<IpvsKey.At, Map<IpPort, Long>> leaving() {
        Map<IpvsKey.At, Map<IpPort, Long>> all = new LinkedHashMap<>();
        for (IpvsKey.At key : leavers) {
            Held held = servers.get(key);
            if (held != null && !held.leaving.isEmpty()) {
                all.put(key, Map.copyOf(held.leaving));
            }
        }
        return all;
    }

    void left(IpvsKey.At key) {
        leavers.add(key);
    }

    /** The kernel holds this destination no more. */
    public void gone(IpvsKey.At key, IpPort destination) {
        find(key).ifPresent(held -> {
            held.leaving.remove(destination);
            if (held.leaving.isEmpty()) {
                leavers.remove(key);
            }
        });
    }

    /** Whether a kernel that was read again holds what is believed: each virtual server, and each address. */
    public boolean agrees(Set<IpvsKey.At> found, Set<Ip> onLink) {
        return found.equals(servers.keySet()) && onLink.equals(addresses);
    }
}
