package io.dualstackd.agent.host.io;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.CpuList;
import io.dualstackd.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the daemon's settings to its host, other than rules, and records which could not be set. It can be applied again; what is right
 * already is not touched.
 */
public final class HostSettings {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    private final KernelSettings kernel;
    private final Set<IpFamily> families;
    private volatile List<String> notes = List.of();
    private volatile List<String> unmet = List.of();
    /** Whether the last settings of connection tracking need not be applied again; not guarded, as reconcilers must not wait. */
    private final AtomicBoolean complete = new AtomicBoolean();

    private final AtomicReference<Guard> guard = new AtomicReference<>(Guard.NONE);
    /** The notes of the last {@link #apply} about other settings than those of {@link #forwarding}; guarded by this. */
    private List<String> others = List.of();
    /** What was applied last; guarded by this. */
    private Optional<Wanted> last = Optional.empty();

    private record Wanted(ConfigResult.Usable config, NodeSettings node) {}

    /** The rule that guards 127.0.0.0/8 where node ports answer on it. */
    private enum Guard {
        /** What was applied last needs none, and the rules may have none. */
        NONE,
        /** Rules that have it are not in force yet. */
        AWAITED,
        IN_FORCE
    }

    /** @param families those the host has */
    HostSettings(KernelSettings kernel, Set<IpFamily> families) {
        this.kernel = kernel;
        this.families = Set.copyOf(families);
    }

    /** The settings for the host in their network namespace; former values are remembered in their state directory, if they have one. */
    public static HostSettings of(DaemonSettings settings) throws IOException {
        Optional<FormerSettings> memory = settings.state().isPresent()
                ? Optional.of(FormerSettings.in(settings.state().get(), settings.ns()))
                : Optional.empty();
        return new HostSettings(new KernelSettings(settings.ns(), memory), settings.families());
    }

    /**
     * Makes the host as the configuration requires, for a process that does nothing else ({@code --init-only}).
     *
     * @throws IOException as {@link #apply}; also when a setting that was configured explicitly cannot be written from here, or the kernel
     *     has no connection tracking to set
     */
    public void initialize(ConfigResult.Usable wanted, NodeSettings node) throws IOException {
        loadConntrack();
        // The daemon may not be able to: in its container /proc/sys is read-only.
        guard.set(Guard.IN_FORCE);
        apply(wanted, node);
        if (!unmet.isEmpty()) {
            throw new IOException(String.join("; ", unmet));
        }
        if (!complete.get()) {
            throw new IOException(
                    "the kernel has no connection tracking yet, so its settings cannot be set: load nf_conntrack");
        }
    }

    /** The first request loads the modules. */
    private void loadConntrack() {
        try (ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(kernel.ns()))) {
            client.stats();
        } catch (NetlinkException e) {
            LOG.info("connection tracking cannot be asked reason=\"{}\"", e.getMessage());
        }
    }

    /**
     * Makes the host as the configuration requires. A setting that cannot be written from here becomes a note and a log line: a warning when
     * traffic suffers from it, or it was configured explicitly.
     *
     * @throws IOException why a setting that was configured explicitly cannot be set, and what to do about it
     */
    public synchronized void apply(ConfigResult.Usable wanted, NodeSettings node) throws IOException {
        awaitGuard(node);
        last = Optional.of(new Wanted(wanted, node));
        apply(last.get());
    }

    private void apply(Wanted wanted) throws IOException {
        AgentConfig config = wanted.config().config();
        List<String> forwarding = forwarding(wanted);
        List<String> harmful = new ArrayList<>();
        if (config.mode() == ProxyMode.IPVS) {
            harmful.addAll(IpvsHost.apply(kernel, config.ipvs()));
        }
        List<String> harmless = new ArrayList<>();
        OomScore.apply(config.host().oomScoreAdj()).ifPresent(harmless::add);
        try {
            ConntrackSettings.Outcome tracking = ConntrackSettings.apply(
                    kernel,
                    config.conntrack(),
                    cores(),
                    key -> wanted.config().given().containsKey(key));
            harmful.addAll(tracking.unmet());
            harmless.addAll(tracking.notes());
            unmet = tracking.unmet();
            complete.set(tracking.complete());
        } finally {
            // What was found out before holds, even if a configured setting of connection tracking cannot be set.
            others = Stream.concat(harmful.stream(), harmless.stream()).toList();
            note(Stream.concat(forwarding.stream(), harmful.stream()).toList(), harmless);
        }
    }

    /** Settings without which packets do not get through; whole sentences about those that are not as they should be. */
    private List<String> forwarding(Wanted wanted) {
        List<String> harmful = new ArrayList<>();
        boolean may = wanted.config().config().host().setForwarding();
        families.stream()
                .sorted()
                .forEach(family -> Forwarding.apply(kernel, family, may).ifPresent(harmful::add));
        if (guard.get() == Guard.IN_FORCE) {
            LoopbackRoute.open(kernel, wanted.node()).ifPresent(harmful::add);
        }
        return harmful;
    }

    private void note(List<String> harmful, List<String> harmless) {
        harmful.stream().filter(note -> !notes.contains(note)).forEach(note -> LOG.warn("host: {}", note));
        harmless.stream().filter(note -> !notes.contains(note)).forEach(note -> LOG.info("host: {}", note));
        notes = Stream.concat(harmful.stream(), harmless.stream()).toList();
    }

    /** These settings of the node are about to be followed: rules computed with them have the guard that they need. */
    public void awaitGuard(NodeSettings node) {
        if (!LoopbackRoute.isWanted(node)) {
            guard.set(Guard.NONE);
        } else {
            boolean ignored = guard.compareAndSet(Guard.NONE, Guard.AWAITED);
        }
    }

    /** Checks the settings again without which packets do not get through: network managers and {@code sysctl --system} change them. */
    public synchronized void check() {
        List<IpFamily> off = families.stream().filter(this::isOff).toList();
        boolean isNoted = notes.size() > others.size();
        // Each setting that is read takes a thread, and an idle node has little else to do.
        boolean mayDiffer = !off.isEmpty() || isNoted || guard.get() == Guard.IN_FORCE;
        if (last.isPresent() && mayDiffer) {
            List<String> now = new ArrayList<>(forwarding(last.get()));
            if (now.isEmpty()) {
                off.forEach(family -> now.add(Forwarding.switchedOff(family)));
            }
            now.addAll(others);
            note(now, List.of());
        }
    }

    private boolean isOff(IpFamily family) {
        try {
            return kernel.read(Forwarding.key(family)).equals("0");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns an observer of one reconciler: some settings wait for its rules. */
    public SyncObserver observer() {
        return new SyncObserver() {
            // Of the current sync, which may have begun before the settings were read again.
            private boolean guarded;

            @Override
            public void onSnapshot(Planner planner, Set<ServiceKey> changed, ChangeMetadata metadata) {
                guarded = planner.nodePlan().guardLoopback();
            }

            @Override
            public void onStatus(FamilyStatus status) {
                if (status.state() == FamilyStatus.State.IN_FORCE) {
                    rulesInForce(status.family(), guarded);
                }
            }
        };
    }

    /**
     * Applies again what was applied last, if it had to wait for rules: the first ones load connection tracking, and the first ones for IPv4
     * after node ports on 127.0.0.1 were switched on guard 127.0.0.0/8, which must not be routed before.
     *
     * @param guarded these rules have the guard
     */
    void rulesInForce(IpFamily family, boolean guarded) {
        if (!isDue(family, guarded)) {
            return;
        }
        try {
            again();
        } catch (IOException e) {
            LOG.error("setting not changed reason=\"{}\" next=restart-to-try-again", e.getMessage());
            failed(String.valueOf(e.getMessage()));
        }
    }

    private synchronized void failed(String why) {
        others = Stream.concat(others.stream(), Stream.of(why)).toList();
        notes = Stream.concat(notes.stream(), Stream.of(why)).toList();
    }

    /** Without the lock, which is held while settings are written: that may take seconds, and each status comes by here. */
    private boolean isDue(IpFamily family, boolean guarded) {
        boolean guards = guarded && family == IpFamily.IPV4 && guard.compareAndSet(Guard.AWAITED, Guard.IN_FORCE);
        boolean completes = complete.compareAndSet(false, true);
        return guards || completes;
    }

    private synchronized void again() throws IOException {
        if (last.isPresent()) {
            apply(last.get());
        }
    }

    /** Settings that are not as they should be: whole sentences that include what to do. */
    public List<String> notes() {
        return notes;
    }

    /** Not the count of the JVM, which a container's CPU limit makes smaller. */
    private static int cores() {
        try {
            return CpuList.count(Files.readString(Path.of("/sys/devices/system/cpu/online")))
                    .orElseGet(Runtime.getRuntime()::availableProcessors);
        } catch (IOException e) {
            return Runtime.getRuntime().availableProcessors();
        }
    }
}
