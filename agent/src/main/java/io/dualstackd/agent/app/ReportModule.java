package io.dualstackd.agent.app;

import io.dualstackd.kubeapi.client.io.ApiClient;
import io.dualstackd.kubeapi.client.io.RestClient;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.node.AddressChoice;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.node.report.AddressManagement;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventAggregator;
import io.dualstackd.node.report.PodIpFigures;
import io.dualstackd.node.report.ReportSettings;
import io.dualstackd.node.report.io.EventReporter;
import io.dualstackd.node.report.io.NodeReporter;
import io.dualstackd.node.report.io.PodReporter;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports from this node to the API server: events, and optionally its own addresses and those of its pods. */
final class ReportModule implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    /** The name kube-proxy uses for itself, so that filters for its events find ours. */
    private static final String CONTROLLER = "kube-proxy";

    private final Supervisor supervisor;
    private final EventReporter events;
    private final List<AutoCloseable> others = new ArrayList<>();
    /** The addresses of this host without the Node object, if they are reported. */
    private Optional<NodeAddressTracker> host = Optional.empty();

    private Optional<NodeReporter> node = Optional.empty();
    private Optional<PodReporter> pods = Optional.empty();

    /**
     * The subjects of the reports.
     *
     * @param node settings as they are in force
     * @param pods empty when no container runtime is followed
     */
    record Subjects(Effects effects, Supplier<NodeSettings> node, Store store, Optional<PodModule> pods) {}

    private ReportModule(EventReporter events, Supervisor supervisor) {
        this.supervisor = supervisor;
        this.events = events;
    }

    /**
     * Starts to report, with an event that the proxy starts.
     *
     * @throws IOException when the host's name or addresses cannot be read
     */
    static ReportModule start(RestClient calls, ReportSettings wanted, Subjects subjects, Supervisor supervisor)
            throws IOException {
        String name = subjects.node().get().name();
        ApiClient apiClient = calls;
        ReportModule reports = new ReportModule(
                EventReporter.start(apiClient, new EventAggregator(CONTROLLER, CONTROLLER + "-" + name), supervisor),
                supervisor);
        reports.happened(ClusterEvent.starting(name));
        if (wanted.nodeAddresses().isPresent()) {
            reports.manage(apiClient, wanted.nodeAddresses().get(), subjects.effects(), subjects.node());
            subjects.store().onNodes(reports::nodeChanged);
        }
        if (wanted.podIps()) {
            subjects.pods()
                    .ifPresentOrElse(
                            side -> reports.compare(apiClient, name, side),
                            () -> LOG.warn("addresses of pods are not compared: no container runtime is followed"
                                    + " next=\"start with --cri\""));
        }
        return reports;
    }

    private void compare(ApiClient apiClient, String name, PodModule side) {
        PodReporter reporter = PodReporter.start(
                apiClient, new PodReporter.Wanted(name, side::pods, side::kubeletNames), this::happened, supervisor);
        pods = Optional.of(reporter);
        others.add(reporter);
    }

    private void manage(ApiClient apiClient, AddressManagement duty, Effects effects, Supplier<NodeSettings> settings)
            throws IOException {
        // Tracked once more without the Node object: addresses that we have written there ourselves must not count as
        // configured by an administrator.
        NodeAddressTracker tracked;
        try {
            tracked = NodeAddressTracker.start(
                    settings.get(),
                    effects.netlink(),
                    new NodeAddressTracker.Objects(() -> true, name -> Optional.empty()),
                    effects.names(),
                    supervisor);
        } catch (NetlinkException e) {
            throw new IOException("the host's addresses cannot be followed: " + e.getMessage(), e);
        }
        host = Optional.of(tracked);
        others.add(tracked);
        NodeReporter reporter = NodeReporter.start(
                apiClient,
                new NodeReporter.Wanted(
                        settings.get().name(),
                        duty,
                        () -> settings.get().given(),
                        () -> tracked.isSettled() ? tracked.choice() : AddressChoice.None.YET,
                        tracked::host,
                        // As in kubelet, the name that the administrator gave counts.
                        settings.get().name()),
                this::happened,
                supervisor);
        tracked.onChange(reporter::wakeUp);
        node = Optional.of(reporter);
        others.addFirst(reporter);
    }

    /** Queues an event to be reported; never waits. */
    void happened(ClusterEvent clusterEvent) {
        events.happened(clusterEvent);
    }

    /** Signals that the Node object may have changed. */
    void nodeChanged() {
        node.ifPresent(NodeReporter::wakeUp);
    }

    /** Applies other settings of the node. */
    void follow(NodeSettings now) {
        host.ifPresent(tracked -> tracked.follow(now));
        // They may ask for another order of the same addresses.
        nodeChanged();
    }

    /** Why the Node object is not up to date; empty when it is. */
    Optional<String> nodeProblem() {
        return node.flatMap(NodeReporter::problem);
    }

    /** For metrics; empty when pods are not compared. */
    Optional<PodIpFigures> podIps() {
        return pods.map(PodReporter::figures);
    }

    @Override
    public void close() {
        for (AutoCloseable each : others) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("closing a report does not fail", e);
            }
        }
        events.close();
    }
}
