package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.allocation.PortPool;
import io.dualstackd.standalone.allocation.ServiceRange;
import io.dualstackd.standalone.serviceapi.NodePortRules;
import io.dualstackd.standalone.serviceapi.Rejection;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The pools of a ledger; every change to them can be undone. */
final class AllocationPools {
    private final Undo undo;
    private final RandomGenerator random;
    private final Map<IpFamily, AddressPool> addresses = new EnumMap<>(IpFamily.class);
    /** The networks of ServiceCIDRs, and whether new addresses are allocated from each. */
    private final Map<IpPrefix, Boolean> networks = new HashMap<>();

    private final PortPool ports;
    private final NodePortRules portRules;
    /** The owner of each node port: of two Services that were stored with the same port, the first one. */
    private final Map<Integer, ObjectKey> owners = new HashMap<>();

    private final Map<LedgerFigures.AllocationRequest, Long> requestedAddresses = new HashMap<>();
    private final Map<LedgerFigures.AllocationRequest, Long> requestedPorts = new HashMap<>();
    /** The addresses that only Service {@code default/kubernetes} gets; in use in the pools, whether it has them or not. */
    private final Set<Ip> kept;

    private boolean freed;

    AllocationPools(LedgerSettings settings, RandomGenerator random, Undo undo) {
        this.undo = undo;
        this.random = random;
        for (IpFamily family : IpFamily.values()) {
            addresses.put(family, new AddressPool(family));
        }
        kept = Set.copyOf(settings.kept());
        kept.forEach(ip -> pool(ip.family()).use(ip));
        ports = new PortPool(settings.firstNodePort(), settings.lastNodePort());
        portRules = new NodePortRules(ports, random);
    }

    /** Whether something was released since the last call. */
    boolean freed() {
        boolean was = freed;
        freed = false;
        return was;
    }

    /** Records a release; undoing it undoes the record. */
    void nowFreed() {
        boolean before = freed;
        freed = true;
        undo.did(() -> freed = before);
    }

    private AddressPool pool(IpFamily family) {
        return Objects.requireNonNull(addresses.get(family));
    }

    AddressPool.Answer take(IpFamily family) {
        return counted(pool(family).take(random), networkOf(family), false);
    }

    AddressPool.Answer take(Ip ip) {
        String network = pool(ip.family()).rangeOf(ip).map(IpPrefix::toString).orElse("");
        return counted(pool(ip.family()).take(ip), network, true);
    }

    /** The address that is kept for Service {@code default/kubernetes} in a family. */
    Optional<Ip> kept(IpFamily family) {
        return kept.stream().filter(ip -> ip.family() == family).findFirst();
    }

    boolean isKept(Ip ip) {
        return kept.contains(ip);
    }

    /** The first network of the family; it is the one counted when all are full. */
    private String networkOf(IpFamily family) {
        return pool(family).first().map(IpPrefix::toString).orElse("");
    }

    private AddressPool.Answer counted(AddressPool.Answer answer, String network, boolean named) {
        switch (answer) {
            case AddressPool.Answer.Given(Ip ip) -> {
                undo.did(() -> pool(ip.family()).giveBack(ip));
                String its =
                        pool(ip.family()).rangeOf(ip).map(IpPrefix::toString).orElse(network);
                count(requestedAddresses, its, named, true);
            }
            // A refused request is undone, but still counted.
            case AddressPool.Answer.Denied ignored -> count(requestedAddresses, network, named, false);
        }
        return answer;
    }

    private static void count(
            Map<LedgerFigures.AllocationRequest, Long> counts, String of, boolean named, boolean given) {
        counts.merge(new LedgerFigures.AllocationRequest(of, named, given), 1L, Long::sum);
    }

    /** Records an address as in use, in a network or not; false when it already was. */
    boolean use(Ip ip) {
        boolean fresh = pool(ip.family()).use(ip);
        if (fresh) {
            undo.did(() -> pool(ip.family()).giveBack(ip));
        }
        return fresh;
    }

    void giveBack(Ip ip) {
        if (kept.contains(ip)) {
            // It stays in use for all but the Service that it is kept for.
            nowFreed();
        } else if (pool(ip.family()).isUsed(ip)) {
            pool(ip.family()).giveBack(ip);
            undo.did(() -> pool(ip.family()).use(ip));
            nowFreed();
        }
    }

    /** Whether some network, ready or not, contains the address. */
    boolean isInRange(Ip ip) {
        return pool(ip.family()).rangeOf(ip).isPresent();
    }

    /** Adds a network, or updates whether it is ready. */
    void network(IpPrefix network, boolean ready) {
        if (!new ServiceRange(network).isAllocatable()) {
            return;
        }
        Boolean before = networks.put(network, ready);
        if (before != null && before == ready) {
            return;
        }
        pool(network.family()).addRange(network, ready);
        if (ready) {
            nowFreed();
        }
        undo.did(() -> {
            if (before == null) {
                networks.remove(network);
                pool(network.family()).removeRange(network);
            } else {
                networks.put(network, before);
                pool(network.family()).addRange(network, before);
            }
        });
    }

    /** Removes a network that no ServiceCIDR has any more. */
    void noNetwork(IpPrefix network) {
        Boolean before = networks.remove(network);
        if (before != null) {
            pool(network.family()).removeRange(network);
            undo.did(() -> {
                networks.put(network, before);
                pool(network.family()).addRange(network, before);
            });
        }
    }

    /**
     * Allocates node ports for a Service.
     *
     * @param held those it has; null-free, without 0
     * @param fresh whether it is a new Service
     */
    NodePortRules.Answer ports(ObjectKey owner, ServiceFields requested, Set<Integer> held, boolean fresh) {
        NodePortRules.Answer answer = fresh
                ? portRules.create(requested.ports(), requested.needsNodePorts())
                : portRules.update(requested.ports(), held, requested.needsNodePorts());
        return switch (answer) {
            case NodePortRules.Answer.Given(var ignored, var taken, var unused) -> {
                taken.forEach(port -> {
                    tookPort(owner, port);
                    boolean named = requested.ports().stream().anyMatch(written -> written.nodePort() == port);
                    count(requestedPorts, "", named, true);
                });
                unused.forEach(port -> giveBackPort(owner, port));
                yield answer;
            }
            case NodePortRules.Answer.Denied(Rejection rejection) -> {
                count(requestedPorts, "", !rejection.value().isEmpty(), false);
                yield new NodePortRules.Answer.Denied(
                        rejection.rule().equals(NodePortRules.ALLOCATED)
                                ? new Rejection(
                                        rejection.field(),
                                        rejection.value(),
                                        allocated(Integer.parseInt(rejection.value())))
                                : rejection);
            }
        };
    }

    /** Why a port in use cannot be allocated, with the Service that has it. */
    private String allocated(int port) {
        return NodePortRules.ALLOCATED
                + ownerOf(port).map(other -> " to " + other).orElse("");
    }

    private void tookPort(ObjectKey owner, int port) {
        undo.did(() -> ports.giveBack(port));
        undo.put(owners, port, owner);
    }

    OptionalInt takePort(ObjectKey owner) {
        OptionalInt port = ports.take(random);
        count(requestedPorts, "", false, port.isPresent());
        port.ifPresent(number -> tookPort(owner, number));
        return port;
    }

    /** Whether the number is in the range of node ports. */
    boolean isNodePort(int number) {
        return ports.contains(number);
    }

    /** Allocates this port to the owner; returns why it cannot, empty when it did. */
    Optional<String> takePort(ObjectKey owner, int port) {
        boolean free = ports.contains(port) && !ports.isUsed(port);
        count(requestedPorts, "", true, free);
        if (!ports.contains(port)) {
            return Optional.of("the valid range of node ports is " + ports);
        }
        if (!ports.take(port)) {
            return Optional.of(allocated(port));
        }
        tookPort(owner, port);
        return Optional.empty();
    }

    void giveBackPort(ObjectKey owner, int port) {
        if (owner.equals(owners.get(port))) {
            undo.remove(owners, port);
            ports.giveBack(port);
            undo.did(() -> ports.take(port));
            nowFreed();
        }
    }

    Optional<ObjectKey> ownerOf(int port) {
        return Optional.ofNullable(owners.get(port));
    }

    boolean isPort(int port) {
        return ports.contains(port);
    }

    /** The owners of the ports in use. */
    Map<Integer, ObjectKey> portOwners() {
        return Collections.unmodifiableMap(owners);
    }

    PortPool ports() {
        return ports;
    }

    /** Resets the counters of requests to earlier values, for requests of a dry run. */
    void forgetQuestionsSince(LedgerFigures before) {
        requestedAddresses.clear();
        requestedAddresses.putAll(before.addresses());
        requestedPorts.clear();
        requestedPorts.putAll(before.ports());
    }

    LedgerFigures figures() {
        return new LedgerFigures(fill(), ports.used(), ports.free(), requestedAddresses, requestedPorts);
    }

    List<AddressPool.Fill> fill() {
        List<AddressPool.Fill> all = new ArrayList<>();
        addresses.values().forEach(pool -> all.addAll(pool.fill()));
        return all;
    }
}
