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
 * The applied state of the virtual servers: what the kernel holds as far as known, and for which Services. Owned by one reconciler.
 * Mutable, because a change of one Service must not cost a copy of ten thousand.
 */
public final class AppliedServers {
    /** The weight of a destination that takes new connections. */
    static final int SERVING = 1;

    /** A virtual server in the kernel. */
    static final class Held {
        IpvsService service;
        /** Destinations that take new connections. */
        final Set<IpPort> serving = new HashSet<>();
        /** Those of them that were found with another weight or kind than they should have. */
        final Set<IpPort> altered = new HashSet<>();
        /** Destinations that take no new connections, with the moment since which they wait for their last ones to end. */
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
    /** For each server that several Services want: the Services that wait for its owner to give it up. */
    private final Map<IpvsKey.At, Set<ServiceKey>> waiting = new HashMap<>();
    /** The number of servers that need each address. */
    private final Map<Ip, Integer> holders = new HashMap<>();
    /** The addresses on the link. */
    private final Set<Ip> addresses;

    /** Servers with destinations that are leaving. */
    private final Set<IpvsKey.At> leavers = new HashSet<>();

    private int destinations;

    /**
     * @param now a moment in nanoseconds: destinations found with weight 0 are leaving since then
     * @param before the {@link #leaving} destinations of a former applied state, which are leaving since an earlier moment
     */
    public AppliedServers(FoundServers found, long now, Map<IpvsKey.At, Map<IpPort, Long>> before) {
        addresses = new HashSet<>(found.addresses());
        found.servers().forEach((key, server) -> {
            Held held = new Held(server.service());
            Map<IpPort, Long> since = before.getOrDefault(key, Map.of());
            server.weights().forEach((address, weight) -> {
                if (weight == 0) {
                    held.leaving.put(address, since.getOrDefault(address, now));
                } else {
                    held.serving.add(address);
                    if (weight != SERVING) {
                        held.altered.add(address);
                    }
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
        leavers.remove(key);
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

    /** One server less needs it; returns whether that was the last one. */
    boolean letGo(Ip ip) {
        return holders.merge(ip, -1, (a, b) -> a + b == 0 ? null : a + b) == null;
    }

    boolean isHeld(Ip ip) {
        return holders.containsKey(ip);
    }

    /** The servers of a Service, in no order. */
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

    /** Removes and returns the Services that waited for this server; they have to be compared again. */
    Set<ServiceKey> waited(IpvsKey.At key) {
        Set<ServiceKey> waited = waiting.remove(key);
        return waited == null ? Set.of() : waited;
    }

    /** The servers that no Service wants. */
    List<IpvsKey.At> withoutOwner() {
        List<IpvsKey.At> leftovers = new ArrayList<>();
        servers.forEach((key, held) -> {
            if (held.owner == null) {
                leftovers.add(key);
            }
        });
        return leftovers;
    }

    /** All virtual servers. */
    public Set<IpvsKey.At> servers() {
        return Set.copyOf(servers.keySet());
    }

    /** Services that have anything in the kernel. */
    public Set<ServiceKey> services() {
        return Set.copyOf(ofService.keySet());
    }

    /** Destinations that wait for their last connection to end, with the moment since which they wait. */
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

    /** Records that the kernel no longer holds this destination. */
    public void gone(IpvsKey.At key, IpPort destination) {
        find(key).ifPresent(held -> {
            held.leaving.remove(destination);
            if (held.leaving.isEmpty()) {
                leavers.remove(key);
            }
        });
    }

    /** Whether a kernel that was read again holds the applied state: each virtual server, and each address. */
    public boolean agrees(Map<IpvsKey.At, IpvsService> found, Set<Ip> onLink) {
        if (!onLink.equals(addresses) || found.size() != servers.size()) {
            return false;
        }
        for (Map.Entry<IpvsKey.At, IpvsService> each : found.entrySet()) {
            Held held = servers.get(each.getKey());
            if (held == null || !held.service.equals(each.getValue())) {
                return false;
            }
        }
        return true;
    }

    public boolean has(IpvsKey.At key) {
        return servers.containsKey(key);
    }

    /** Whether a virtual server has destinations with these weights, which are as in {@link FoundServers#weight}. */
    public boolean agrees(IpvsKey.At key, Map<IpPort, Integer> weights) {
        Held held = servers.get(key);
        return held != null
                && weights.size() == held.serving.size() + held.leaving.size()
                && weights.entrySet().stream().allMatch(each -> switch (each.getValue()) {
                    case 0 -> held.leaving.containsKey(each.getKey());
                    case SERVING -> held.serving.contains(each.getKey());
                    default -> false;
                });
    }
}
