package io.dualstackd.dataplane.io.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.ipvs.FoundServers;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.ipvs.ServerCompiler;
import io.dualstackd.dataplane.ipvs.Step;
import io.dualstackd.dataplane.ipvs.VirtualServer;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.io.IpvsClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.sys.Errno;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** IPVS as the kernel does it: each change on its own, refused where the kernel refuses. Records what traffic would have noticed. */
final class FakeIpvsKernel implements IpvsKernel {
    final Map<IpvsKey.At, IpvsService> servers = new HashMap<>();
    final Map<IpvsKey.At, Map<IpPort, Integer>> destinations = new HashMap<>();
    final Set<Ip> addresses = new HashSet<>();
    /** Destinations with connections; those of all servers are counted together. */
    final Set<IpPort> busy = new HashSet<>();

    final List<Step> made = new ArrayList<>();
    final List<String> gaps = new ArrayList<>();
    /** Protocols this kernel's IPVS is built without. */
    final Set<Proto> missing = new HashSet<>();

    /** Addresses that lost a server in these steps. */
    private final Set<Ip> closed = new HashSet<>();

    Optional<String> unreachable = Optional.empty();
    /** How many more steps and readings are carried out before it does not answer any more. */
    int answers = Integer.MAX_VALUE;
    /** How many servers were asked for their destinations. */
    int listed;

    private <T> ReadResult<T> reading(T value) {
        if (answers-- <= 0) {
            return new ReadResult.Failed<>("no answer");
        }
        return unreachable.<ReadResult<T>>map(ReadResult.Failed::new).orElseGet(() -> new ReadResult.Found<>(value));
    }

    @Override
    public ReadResult<FoundServers> read() {
        Map<IpvsKey.At, FoundServers.Found> found = new HashMap<>();
        servers.forEach((key, service) ->
                found.put(key, new FoundServers.Found(service, Map.copyOf(destinations.getOrDefault(key, Map.of())))));
        return reading(new FoundServers(found, Set.copyOf(addresses)));
    }

    @Override
    public ReadResult<Outline> outline() {
        return reading(new Outline(Map.copyOf(servers), Set.copyOf(addresses)));
    }

    @Override
    public ReadResult<Map<IpPort, Integer>> weights(IpvsKey.At server) {
        listed++;
        return reading(Map.copyOf(destinations.getOrDefault(server, Map.of())));
    }

    @Override
    public ReadResult<Set<IpPort>> idle(IpvsKey.At server, Set<IpPort> asked) {
        Set<IpPort> idle = new HashSet<>(asked);
        idle.removeAll(busy);
        return reading(idle);
    }

    @Override
    public Done make(List<Step> steps) {
        if (unreachable.isPresent()) {
            return new Done.Unreachable(unreachable.get());
        }
        List<RefusedStep> refused = new ArrayList<>();
        closed.clear();
        for (Step step : steps) {
            if (answers-- <= 0) {
                return new Done.Unreachable("no answer");
            }
            made.add(step);
            one(step)
                    .filter(errno -> !isDone(step, errno))
                    .ifPresent(errno -> refused.add(new RefusedStep(step, step + ": " + errno)));
        }
        return new Done.Made(refused, steps.size(), steps.size() * 100L);
    }

    /** As {@link NetlinkIpvsKernel} and {@link ServiceLink} do. */
    private static boolean isDone(Step step, Errno refused) {
        return switch (step) {
            case Step.Change(var origin, IpvsChange change) -> IpvsClient.isDone(change, refused);
            case Step.Hold ignored -> refused.equals(Errno.EEXIST);
            case Step.Release ignored -> refused.equals(Errno.EADDRNOTAVAIL);
        };
    }

    private Optional<Errno> one(Step step) {
        return switch (step) {
            case Step.Change(var origin, IpvsChange change) -> change(change);
            case Step.Hold(var origin, Ip ip) -> {
                if (servers.keySet().stream().noneMatch(key -> key.address().equals(ip))) {
                    gaps.add(ip + " is held before there is a server");
                }
                yield addresses.add(ip) ? Optional.empty() : Optional.of(Errno.EEXIST);
            }
            case Step.Release(var origin, Ip ip) -> {
                if (closed.contains(ip)) {
                    gaps.add(ip + " goes after its server");
                }
                yield addresses.remove(ip) ? Optional.empty() : Optional.of(Errno.EADDRNOTAVAIL);
            }
        };
    }

    private Optional<Errno> change(IpvsChange change) {
        if (!(change.key() instanceof IpvsKey.At key)) {
            return Optional.of(Errno.EINVAL);
        }
        boolean known = servers.containsKey(key);
        boolean made = change instanceof IpvsChange.AddService;
        if (!known && !made) {
            return Optional.of(Errno.ESRCH);
        }
        Map<IpPort, Integer> there = destinations.computeIfAbsent(key, ignored -> new TreeMap<>());
        return switch (change) {
            case IpvsChange.AddService(IpvsService service) -> {
                if (missing.contains(key.protocol())) {
                    yield Optional.of(Errno.EPROTONOSUPPORT);
                }
                servers.put(key, service);
                yield known ? Optional.of(Errno.EEXIST) : Optional.empty();
            }
            case IpvsChange.SetService(IpvsService service) -> {
                servers.put(key, service);
                yield Optional.empty();
            }
            case IpvsChange.DeleteService ignored -> {
                servers.remove(key);
                destinations.remove(key);
                closed.add(key.address());
                yield Optional.empty();
            }
            case IpvsChange.AddDestination(var of, IpvsDestination destination) ->
                there.putIfAbsent(destination.address(), destination.weight()) == null
                        ? Optional.empty()
                        : Optional.of(Errno.EEXIST);
            case IpvsChange.SetDestination(var of, IpvsDestination destination) ->
                there.replace(destination.address(), destination.weight()) == null
                        ? Optional.of(Errno.ENOENT)
                        : Optional.empty();
            case IpvsChange.DeleteDestination(var of, IpPort destination) ->
                there.remove(destination) == null ? Optional.of(Errno.ENOENT) : Optional.empty();
        };
    }

    /** The weights of the destinations of a server that is there, to be changed as by another program. */
    Map<IpPort, Integer> destinationsOf(IpvsKey.At key) {
        return Objects.requireNonNull(destinations.get(key));
    }

    /** Where new connections to a server go. */
    Set<IpPort> serving(IpvsKey.At key) {
        Set<IpPort> serving = new HashSet<>();
        destinations.getOrDefault(key, Map.of()).forEach((address, weight) -> {
            if (weight > 0) {
                serving.add(address);
            }
        });
        return serving;
    }

    @Override
    public void close() {}

    /** Fails unless it has the servers and addresses of these Services, and no others. */
    void assertHolds(NodeView node, Map<ServiceKey, ServiceView> wanted) {
        Planner planner = Planner.of(node);
        ServerCompiler compiler = new ServerCompiler(planner, IpvsSettings.USUAL);
        Map<IpvsKey.At, List<VirtualServer>> claims = new HashMap<>();
        wanted.values()
                .forEach(service -> compiler.compile(planner.plan(service))
                        .forEach((key, server) -> claims.computeIfAbsent(key, ignored -> new ArrayList<>())
                                .add(server)));
        assertThat(servers.keySet()).isEqualTo(claims.keySet());
        Set<Ip> held = new HashSet<>();
        claims.forEach((key, claimed) -> {
            assertThat(claimed)
                    .as(key.toString())
                    .anyMatch(server -> server.service().equals(servers.get(key))
                            && server.destinations().equals(serving(key)));
            if (claimed.getFirst().held()) {
                held.add(key.address());
            }
        });
        assertThat(addresses).isEqualTo(held);
    }
}
