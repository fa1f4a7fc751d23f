package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.plan.Handling;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventSink;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Events about the Services of one family: their last endpoint is gone, or there is one again, and the kernel refuses their rules. They are
 * recorded once the rules are in force. Only for a daemon that keeps its own events: in a cluster, every node would report the same.
 */
final class ServiceEvents implements SyncObserver {
    private final IpFamily family;
    private final EventSink events;
    /** The Services in force. */
    private final Map<ServiceKey, Ports> known = new HashMap<>();
    /** The Services read since rules were in force last. */
    private final Map<ServiceKey, Ports> read = new TreeMap<>();
    /** Ports whose loss of endpoints was recorded. */
    private final Map<ServiceKey, Set<String>> lost = new HashMap<>();

    private boolean readAll;
    private Set<ServiceKey> refused = Set.of();

    /**
     * The ports of a Service, such as {@code 80/TCP}.
     *
     * @param served ports with endpoints, here or elsewhere
     * @param refused ports without
     */
    private record Ports(List<String> served, List<String> refused) {
        static final Ports NONE = new Ports(List.of(), List.of());

        static Ports of(ServicePlan plan) {
            return new Ports(
                    words(plan.ports().stream().filter(port -> port.internal() != Handling.REJECT)),
                    words(plan.ports().stream().filter(port -> port.internal() == Handling.REJECT)));
        }

        private static List<String> words(Stream<PortPlan> ports) {
            return ports.map(PortPlan::port).map(Ports::word).toList();
        }

        private static String word(ServicePort port) {
            return port.port() + "/" + port.name().protocol().toString().toUpperCase(Locale.ROOT);
        }
    }

    ServiceEvents(IpFamily family, EventSink events) {
        this.family = family;
        this.events = events;
    }

    @Override
    public void onAllServices() {
        read.clear();
        readAll = true;
    }

    @Override
    public void onService(ServiceKey key, Optional<ServicePlan> plan) {
        read.put(key, plan.map(Ports::of).orElse(Ports.NONE));
    }

    @Override
    public void onStatus(FamilyStatus status) {
        if (status.state() != State.IN_FORCE) {
            return;
        }
        read.forEach((key, now) -> compare(key, known.getOrDefault(key, Ports.NONE), now));
        if (readAll) {
            known.clear();
            lost.keySet().retainAll(read.keySet());
        }
        read.forEach((key, now) -> {
            if (now.equals(Ports.NONE)) {
                known.remove(key);
            } else {
                known.put(key, now);
            }
        });
        read.clear();
        readAll = false;
        refusals(status);
    }

    private void compare(ServiceKey key, Ports before, Ports now) {
        Set<String> gone = new TreeSet<>(before.served());
        gone.retainAll(now.refused());
        if (!gone.isEmpty()) {
            lost.computeIfAbsent(key, service -> new HashSet<>()).addAll(gone);
            events.happened(ClusterEvent.noEndpoints(key.namespace(), key.name(), family, String.join(", ", gone)));
        }
        Set<String> missed = lost.getOrDefault(key, Set.of());
        if (!missed.isEmpty()) {
            Set<String> back = new TreeSet<>(missed);
            back.retainAll(now.served());
            if (!back.isEmpty()) {
                events.happened(
                        ClusterEvent.endpointsBack(key.namespace(), key.name(), family, String.join(", ", back)));
            }
            missed.retainAll(now.refused());
            if (missed.isEmpty()) {
                lost.remove(key);
            }
        }
    }

    private void refusals(FamilyStatus status) {
        Map<ServiceKey, String> now =
                status.lastSync().map(report -> report.leftOut()).orElse(Map.of());
        Set<ServiceKey> before = refused;
        now.forEach((key, why) -> {
            if (!before.contains(key)) {
                events.happened(ClusterEvent.rulesRefused(key.namespace(), key.name(), family, why));
            }
        });
        refused = Set.copyOf(now.keySet());
    }
}
