package io.dualstackd.agent.ledger;

import io.dualstackd.agent.allocation.AddressPool;
import io.dualstackd.agent.allocation.PortPool;
import io.dualstackd.agent.allocation.ServiceRange;
import io.dualstackd.agent.api.ObjectKey;
import io.dualstackd.agent.serviceapi.NodePortRules;
import io.dualstackd.agent.serviceapi.ServiceFields;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
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

/** The pools of a ledger, with everything done to them taken back on demand. */
final class Numbers {
    private final Undo undo;
    private final RandomGenerator random;
    private final Map<IpFamily, AddressPool> addresses = new EnumMap<>(IpFamily.class);
    /** Networks of ServiceCIDRs, with whether new addresses come from them. */
    private final Map<IpPrefix, Boolean> networks = new HashMap<>();

    private final PortPool ports;
    private final NodePortRules portRules;
    /** Whose a node port is: of two Services that were stored with the same one, the first has it. */
    private final Map<Integer, ObjectKey> owners = new HashMap<>();

    private boolean freed;

    Numbers(LedgerSettings settings, RandomGenerator random, Undo undo) {
        this.undo = undo;
        this.random = random;
        for (IpFamily family : IpFamily.values()) {
            addresses.put(family, new AddressPool(family));
        }
        ports = new PortPool(settings.firstNodePort(), settings.lastNodePort());
        portRules = new NodePortRules(ports, random);
    }

    /** Whether there may be something to take that was not there when this was last asked. */
    boolean freed() {
        boolean was = freed;
        freed = false;
        return was;
    }

    /** What is taken back has freed nothing. */
    private void nowFreed() {
        boolean before = freed;
        freed = true;
        undo.did(() -> freed = before);
    }

    private AddressPool pool(IpFamily family) {
        return Objects.requireNonNull(addresses.get(family));
    }

    AddressPool.Answer take(IpFamily family) {
        return taken(pool(family).take(random));
    }

    AddressPool.Answer take(Ip ip) {
        return taken(pool(ip.family()).take(ip));
    }

    private AddressPool.Answer taken(AddressPool.Answer answer) {
        if (answer instanceof AddressPool.Answer.Given(Ip ip)) {
            undo.did(() -> pool(ip.family()).giveBack(ip));
        }
        return answer;
    }

    /** Notes an address as in use, in a network or not; false when it was. */
    boolean use(Ip ip) {
        boolean fresh = pool(ip.family()).use(ip);
        if (fresh) {
            undo.did(() -> pool(ip.family()).giveBack(ip));
        }
        return fresh;
    }

    void giveBack(Ip ip) {
        if (pool(ip.family()).isUsed(ip)) {
            pool(ip.family()).giveBack(ip);
            undo.did(() -> pool(ip.family()).use(ip));
            nowFreed();
        }
    }

    /** Whether some network, ready or not, has the address. */
    boolean isInRange(Ip ip) {
        return pool(ip.family()).rangeOf(ip).isPresent();
    }

    /** A network is there from now on, or is still there. */
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

    /** No ServiceCIDR has the network any more. */
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
     * Node ports for a Service.
     *
     * @param held those it has; null-free, without 0
     * @param fresh whether it was not there before
     */
    NodePortRules.Answer ports(ObjectKey owner, ServiceFields wishes, Set<Integer> held, boolean fresh) {
        NodePortRules.Answer answer = fresh
                ? portRules.create(wishes.ports(), wishes.needsNodePorts())
                : portRules.update(wishes.ports(), held, wishes.needsNodePorts());
        if (answer instanceof NodePortRules.Answer.Given(var ignored, var taken, var unused)) {
            taken.forEach(port -> tookPort(owner, port));
            unused.forEach(port -> giveBackPort(owner, port));
        }
        return answer;
    }

    private void tookPort(ObjectKey owner, int port) {
        undo.did(() -> ports.giveBack(port));
        undo.put(owners, port, owner);
    }

    OptionalInt takePort(ObjectKey owner) {
        OptionalInt port = ports.take(random);
        port.ifPresent(number -> tookPort(owner, number));
        return port;
    }

    /** What stands against having this port; empty when it is now the owner's. */
    Optional<String> takePort(ObjectKey owner, int port) {
        if (!ports.contains(port)) {
            return Optional.of("the valid range of node ports is " + ports);
        }
        if (!ports.take(port)) {
            return Optional.of("is already allocated"
                    + ownerOf(port).map(other -> " to " + other).orElse(""));
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

    /** Whose the ports in use are. */
    Map<Integer, ObjectKey> portOwners() {
        return Collections.unmodifiableMap(owners);
    }

    PortPool ports() {
        return ports;
    }

    List<AddressPool.Fill> fill() {
        List<AddressPool.Fill> all = new ArrayList<>();
        addresses.values().forEach(pool -> all.addAll(pool.fill()));
        return all;
    }
}
