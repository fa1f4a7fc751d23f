package io.dualstackd.node.io;

import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.AddressChangeMessage;
import io.dualstackd.node.AddressChoice;
import io.dualstackd.node.AddressChooser;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.OwnAddresses;
import io.dualstackd.node.PreviousChoice;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.HostNames;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeIp;
import io.dualstackd.nodeaddr.io.Debounce;
import io.dualstackd.nodeaddr.io.HostListener;
import io.dualstackd.nodeaddr.io.HostWatch;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Listeners;
import io.dualstackd.supervision.io.Supervisor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks this node's addresses: links, addresses and default routes of the kernel, the answers of DNS, and the Node object. A caller gets
 * the current choice; it is computed once for each state of the three, and each change of it is logged in one line.
 */
public final class NodeAddressTracker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("addresses");

    /**
     * The source of the Node object.
     *
     * @param isComplete whether objects have been read completely; no choice is made before
     * @param find returns the object of a node
     */
    public record Objects(BooleanSupplier isComplete, Function<String, Optional<Node>> find) {}

    /** The input of a choice. */
    private record Basis(Optional<Node> object, Host host, HostNames names) {}

    /** The state that listeners depend on. */
    private record Standing(boolean settled, AddressChoice choice, List<Ip> ipv4, List<Ip> ipv6) {}

    private volatile NodeSettings settings;
    private final Objects objects;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> choiceListeners = new CopyOnWriteArrayList<>();
    private final Object choosing = new Object();
    private Optional<Basis> basis = Optional.empty();
    private PreviousChoice chosen = PreviousChoice.NOTHING;
    private final AtomicReference<Standing> standing =
            new AtomicReference<>(new Standing(false, AddressChoice.None.YET, List.of(), List.of()));
    /** Whether listeners may not know the present state: it is new, or one of them failed. */
    private final AtomicBoolean untold = new AtomicBoolean();

    private final AtomicBoolean untoldChoice = new AtomicBoolean();
    private volatile Optional<String> watchError = Optional.empty();
    private final HostWatch host;
    private final NameLookup.Resolver resolver;
    private volatile Optional<NameLookup> names;
    private final Supervisor supervisor;
    private final Supervisor.Row alive;

    private NodeAddressTracker(
            NodeSettings settings,
            NetlinkSockets sockets,
            Debounce debounce,
            Objects objects,
            NameLookup.Resolver resolver,
            Supervisor supervisor)
            throws NetlinkException {
        this.supervisor = supervisor;
        this.alive = supervisor.heartbeat(Component.ADDRESSES);
        this.settings = settings;
        this.objects = objects;
        this.resolver = resolver;
        this.names = isNamed(settings) ? Optional.of(lookup(settings)) : Optional.empty();
        try {
            this.host = HostWatch.open(
                    HostWatch.Sources.of(sockets), new TrackerTiming(supervisor.platform()), debounce, new Listener());
        } catch (NetlinkException e) {
            alive.close();
            throw e;
        }
    }

    /**
     * Reads the host of {@code ns} and starts tracking it.
     *
     * @throws NetlinkException if the kernel does not respond
     */
    public static NodeAddressTracker start(
            NodeSettings settings, NetNs ns, Objects objects, NameLookup.Resolver resolver) throws NetlinkException {
        return start(settings, ns, objects, resolver, Supervisor.none());
    }

    /** As the other {@code start}; the threads are watched by {@code supervisor}. */
    public static NodeAddressTracker start(
            NodeSettings settings, NetNs ns, Objects objects, NameLookup.Resolver resolver, Supervisor supervisor)
            throws NetlinkException {
        return start(settings, NetlinkSockets.of(ns), objects, resolver, supervisor);
    }

    /** As the other {@code start}, of the host behind these sockets; the threads are watched by {@code supervisor}. */
    public static NodeAddressTracker start(
            NodeSettings settings,
            NetlinkSockets sockets,
            Objects objects,
            NameLookup.Resolver resolver,
            Supervisor supervisor)
            throws NetlinkException {
        NodeAddressTracker live =
                new NodeAddressTracker(settings, sockets, Debounce.USUAL, objects, resolver, supervisor);
        live.host.begin();
        live.names.ifPresent(lookup -> lookup.begin(supervisor));
        return live;
    }

    private NameLookup lookup(NodeSettings of) {
        return NameLookup.of(of.name(), resolver, NameLookup.Pace.USUAL, supervisor.platform(), this::mayHaveChanged);
    }

    /** Applies other settings from now on; the node's name must be the same. */
    public void follow(NodeSettings now) {
        Optional<NameLookup> begun = Optional.empty();
        synchronized (choosing) {
            if (!now.wanted().equals(settings.wanted())) {
                chosen = chosen.withoutIps();
            }
            settings = now;
            basis = Optional.empty();
            if (names.isEmpty() && isNamed(now)) {
                begun = Optional.of(lookup(now));
                names = begun;
            }
        }
        begun.ifPresent(lookup -> lookup.begin(supervisor));
        mayHaveChanged();
    }

    /** Whether a name must be resolved: not for given addresses and interfaces. */
    private static boolean isNamed(NodeSettings settings) {
        return settings.wanted().elements().stream()
                .anyMatch(element -> element instanceof NodeIp.Any || element instanceof NodeIp.Within);
    }

    /**
     * Calls {@code listener} whenever the host or DNS may lead to another choice; changes of the Node object are not reported here. On any
     * thread, so it must not block.
     */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Calls {@code listener} after the choice has changed, for whatever reason; on any thread, so it must not block. */
    public void onChoice(Runnable listener) {
        choiceListeners.add(listener);
    }

    /** False as long as a choice would be premature: objects are still being read, or DNS has not responded for the first time. */
    public boolean isSettled() {
        return objects.isComplete().getAsBoolean()
                && (names.isEmpty()
                        || names.get().isSettled()
                        || AddressChooser.knows(settings.given(), objects.find().apply(settings.name())));
    }

    /** The node's current addresses; must only be called once {@link #isSettled}. */
    public AddressChoice choice() {
        return chosen().choice();
    }

    private PreviousChoice chosen() {
        PreviousChoice now;
        synchronized (choosing) {
            Basis fresh = basis();
            if (!basis.filter(fresh::equals).isPresent()) {
                AddressChoice before = chosen.choice();
                chosen = chosen.and(choose(fresh, chosen), fresh.host());
                log(before, chosen.choice());
                basis = Optional.of(fresh);
                if (!chosen.choice().equals(before)) {
                    untoldChoice.set(true);
                }
            }
            now = chosen;
        }
        tell(untoldChoice, choiceListeners);
        return now;
    }

    /** Calls the listeners if there is something to tell; after an exception, the next call does it again. */
    private static void tell(AtomicBoolean what, List<Runnable> to) {
        if (what.getAndSet(false)) {
            try {
                Listeners.callAll(to);
            } catch (RuntimeException e) {
                what.set(true);
                throw e;
            }
        }
    }

    /** As {@link #choice}, but also before it is settled: for callers that correct their result on {@link #onChoice}. */
    public AddressChoice estimate() {
        return isSettled() ? choice() : choose(basis(), PreviousChoice.NOTHING);
    }

    private Basis basis() {
        return new Basis(
                objects.find().apply(settings.name()),
                host.host(),
                new HostNames(settings.name(), names.map(NameLookup::resolved).orElse(List.of())));
    }

    private AddressChoice choose(Basis on, PreviousChoice before) {
        return AddressChooser.choose(settings.given(), on.object(), on.host(), on.names(), before);
    }

    private static void log(AddressChoice before, AddressChoice now) {
        AddressChangeMessage.change(before, now).ifPresent(words -> {
            switch (now) {
                case AddressChoice.Found ignored ->
                    LOG.info("node addresses now=\"{}\" was=\"{}\" why=\"{}\"", words.now(), words.was(), words.why());
                case AddressChoice.None ignored ->
                    LOG.warn(
                            "node has no address now=\"{}\" was=\"{}\" why=\"{}\" next=wait-for-one",
                            words.now(),
                            words.was(),
                            words.why());
            }
        });
    }

    /** The current addresses of a family. Until {@link #isSettled} they are an estimate, which is not kept. */
    public OwnAddresses own(IpFamily family) {
        NodeSettings now = settings;
        return OwnAddresses.of(now.wanted(), chosenOrEstimated(), host.host(), family)
                .knownBy(now.bindAddresses(), family);
    }

    /** The current node IPs, primary first; of a choice that fails for one family, that of the other. May be an estimate, as {@link #own}. */
    public List<Ip> nodeIps() {
        return OwnAddresses.nodeIps(settings.wanted(), chosenOrEstimated(), host.host());
    }

    private PreviousChoice chosenOrEstimated() {
        return isSettled() ? chosen() : PreviousChoice.NOTHING.and(estimate(), host.host());
    }

    /** The host as the tracker last read it. */
    public Host host() {
        return host.host();
    }

    /** The current addresses, if a choice has been made and there are any. */
    public Optional<NodeAddresses> now() {
        return isSettled() ? choice().found() : Optional.empty();
    }

    /** Why none of the addresses that were given exactly is used; empty when none was given so, or when there is a choice. */
    public Optional<String> refused() {
        boolean exact = settings.given().stream()
                .flatMap(given -> given.elements().stream())
                .anyMatch(NodeIp.Exact.class::isInstance);
        return exact && isSettled() && choice() instanceof AddressChoice.None(String reason, var _)
                ? Optional.of(reason)
                : Optional.empty();
    }

    /** Why changes may currently go unnoticed. */
    public Optional<String> watchError() {
        return watchError;
    }

    /** Two threads may do this at the same time; the state that is kept in the end is the later one. */
    private void mayHaveChanged() {
        // Links of pods are added and removed frequently.
        for (Standing now = current(); !now.equals(standing.get()); now = current()) {
            standing.set(now);
            untold.set(true);
        }
        tell(untold, listeners);
    }

    private Standing current() {
        boolean settled = isSettled();
        return new Standing(
                settled,
                settled ? choice() : AddressChoice.None.YET,
                OwnAddresses.all(host.host(), IpFamily.IPV4),
                OwnAddresses.all(host.host(), IpFamily.IPV6));
    }

    private final class Listener implements HostListener {
        @Override
        public void alive() {
            alive.beat();
        }

        @Override
        public Duration pulse() {
            return alive.longestWait();
        }

        @Override
        public void changed(Host now) {
            names.ifPresent(NameLookup::again);
            mayHaveChanged();
        }

        @Override
        public void cannotFollow(String reason) {
            watchError = Optional.of(reason);
            LOG.warn("addresses cannot be followed reason=\"{}\" next=try-again", reason);
        }

        @Override
        public void followsAgain() {
            watchError = Optional.empty();
            LOG.info("addresses are followed again");
        }
    }

    @Override
    public void close() {
        host.close();
        alive.close();
        names.ifPresent(NameLookup::close);
    }
}
