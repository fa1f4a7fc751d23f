package io.dualstackd.dataplane.ipvs;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.ipvs.AppliedServers.Held;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collects the changes of one sync, and changes the applied state as if they were made; when one of them is refused, the applied state
 * is invalid and the kernel has to be read again.
 *
 * <p>There are no transactions, so the order protects traffic: a destination is added before another one is removed, an address is
 * added last and removed first.
 */
public final class ServersDraft {
    private final AppliedServers appliedServers;
    private final IpvsSettings settings;
    private final long now;

    private final List<Step> released = new ArrayList<>();
    private final List<Step> deleted = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final List<Step> held = new ArrayList<>();
    private final Set<ServiceKey> again = new LinkedHashSet<>();
    /** Addresses that may have lost their last server; {@link #finish} decides whether they have. */
    private final Set<Ip> perhapsReleased = new HashSet<>();

    /** @param now a moment in nanoseconds */
    public ServersDraft(AppliedServers appliedServers, IpvsSettings settings, long now) {
        this.appliedServers = appliedServers;
        this.settings = settings;
        this.now = now;
    }

    /** Sets what the Service wants now; empty when it is gone. */
    public void service(ServiceKey service, Map<IpvsKey.At, VirtualServer> wanted) {
        Origin origin = new Origin.OfService(service);
        List<IpvsKey.At> mine = new ArrayList<>();
        Set<IpvsKey.At> before = new HashSet<>(appliedServers.of(service));
        wanted.forEach((key, server) -> {
            Held there = appliedServers.find(key).orElse(null);
            if (there != null && there.owner != null && !there.owner.equals(service)) {
                appliedServers.wait(key, service);
                return;
            }
            before.remove(key);
            mine.add(key);
            put(origin, service, key, server, there);
        });
        before.forEach(key -> remove(origin, key));
        appliedServers.own(service, mine);
    }

    private void put(Origin origin, ServiceKey service, IpvsKey.At key, VirtualServer server, @Nullable Held there) {
        Held standing = there;
        if (standing == null) {
            standing = new Held(server.service());
            appliedServers.put(key, standing);
            make(origin, new IpvsChange.AddService(server.service()));
        } else if (!standing.service.equals(server.service())) {
            standing.service = server.service();
            make(origin, new IpvsChange.SetService(server.service()));
        }
        standing.owner = service;
        destinations(origin, key, standing, server);
        if (server.held() != standing.held) {
            standing.held = server.held();
            if (server.held()) {
                appliedServers.hold(key.address());
                hold(origin, key.address());
            } else {
                letGo(key.address());
            }
        }
    }

    private void destinations(Origin origin, IpvsKey.At key, Held there, VirtualServer server) {
        for (IpPort address : sorted(server.destinations())) {
            boolean altered = there.altered.remove(address);
            if (there.serving.contains(address) && !altered) {
                continue;
            }
            // One that was leaving takes new connections again.
            boolean known = altered || there.leaving.containsKey(address);
            appliedServers.gone(key, address);
            if (there.serving.add(address)) {
                appliedServers.counted(1);
            }
            IpvsDestination destination = IpvsDestination.of(address, AppliedServers.SERVING);
            make(
                    origin,
                    known
                            ? new IpvsChange.SetDestination(key, destination)
                            : new IpvsChange.AddDestination(key, destination));
        }
        for (IpPort address : sorted(there.serving)) {
            if (!server.destinations().contains(address)) {
                there.serving.remove(address);
                there.altered.remove(address);
                appliedServers.counted(-1);
                leave(origin, key, there, address);
            }
        }
        // Includes destinations found with weight 0.
        if (!there.leaving.isEmpty()) {
            appliedServers.left(key);
        }
    }

    /** TCP connections may finish; datagrams are sent to another destination at once. */
    private void leave(Origin origin, IpvsKey.At key, Held there, IpPort address) {
        if (key.protocol().equals(Proto.TCP)) {
            there.leaving.put(address, now);
            appliedServers.left(key);
            make(origin, new IpvsChange.SetDestination(key, IpvsDestination.of(address, 0)));
        } else {
            make(origin, new IpvsChange.DeleteDestination(key, address));
        }
    }

    private static List<IpPort> sorted(Set<IpPort> addresses) {
        return addresses.stream().sorted().toList();
    }

    private void remove(Origin origin, IpvsKey.At key) {
        appliedServers.find(key).ifPresent(gone -> {
            if (gone.held) {
                letGo(key.address());
            }
            again.addAll(appliedServers.waited(key));
        });
        appliedServers.remove(key);
        deleted.add(new Step.Change(origin, new IpvsChange.DeleteService(key)));
    }

    /**
     * Services that had to wait for a server another Service had. {@link #service} has to be called for them again before
     * {@link #finish}, until there are none.
     */
    public Set<ServiceKey> again() {
        Set<ServiceKey> requested = Set.copyOf(again);
        again.clear();
        return requested;
    }

    /** After a full comparison: everything that no Service wanted is removed, or left to the program whose it is. */
    public void nothingElse() {
        appliedServers.withoutOwner().forEach(key -> {
            if (settings.excludes(key.address())) {
                appliedServers.remove(key);
            } else {
                remove(Origin.NODE, key);
            }
        });
        appliedServers.addresses().stream()
                .filter(ip -> !appliedServers.isHeld(ip))
                .forEach(perhapsReleased::add);
    }

    private void make(Origin origin, IpvsChange change) {
        steps.add(new Step.Change(origin, change));
    }

    private void hold(Origin origin, Ip ip) {
        if (appliedServers.addresses().add(ip)) {
            held.add(new Step.Hold(origin, ip));
        }
    }

    private void letGo(Ip ip) {
        if (appliedServers.letGo(ip)) {
            perhapsReleased.add(ip);
        }
    }

    /** Returns all changes. A server that one Service gives up and another takes is deleted and made anew. */
    public Steps finish() {
        for (Ip ip : perhapsReleased.stream().sorted().toList()) {
            if (!appliedServers.isHeld(ip) && appliedServers.addresses().remove(ip)) {
                released.add(new Step.Release(Origin.NODE, ip));
            }
        }
        return new Steps(
                Stream.concat(released.stream(), deleted.stream()).toList(),
                Stream.concat(steps.stream(), held.stream()).toList());
    }

    /** Deletes a destination that was leaving and whose time is over. */
    public void deleteDrained(IpvsKey.At key, IpPort destination) {
        appliedServers.gone(key, destination);
        steps.add(new Step.Change(Origin.NODE, new IpvsChange.DeleteDestination(key, destination)));
    }
}
