package io.dualstackd.agent;

import io.dualstackd.agent.cluster.io.ApiCall;
import io.dualstackd.agent.health.HealthPortListener;
import io.dualstackd.agent.node.NodeSettings;
import io.dualstackd.agent.node.io.LiveAddresses;
import io.dualstackd.agent.report.EventBook;
import io.dualstackd.agent.report.Happening;
import io.dualstackd.agent.report.PodIpFigures;
import io.dualstackd.agent.report.ReportSettings;
import io.dualstackd.agent.report.io.Api;
import io.dualstackd.agent.report.io.EventReporter;
import io.dualstackd.agent.report.io.NodeReporter;
import io.dualstackd.agent.report.io.PodReporter;
import io.dualstackd.agent.source.io.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the daemon says to the API server, plugged together. */
final class ClusterReports implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private final EventReporter events;
    private final Optional<NodeReporter> node;
    private final Optional<PodReporter> pods;

    private ClusterReports(EventReporter events, Optional<NodeReporter> node, Optional<PodReporter> pods) {
        this.events = events;
        this.node = node;
        this.pods = pods;
    }

    /**
     * What there is to report about.
     *
     * @param node as it is now: settings may change while the daemon runs
     * @param pods empty when no container runtime is followed
     */
    record Subjects(Supplier<NodeSettings> node, LiveAddresses addresses, Store store, Optional<PodSide> pods) {}

    static ClusterReports start(ApiCall calls, ReportSettings settings, Subjects subjects) {
        Api api = Api.of(calls);
        String name = subjects.node().get().name();
        // As whom kube-proxy reports: people and programs look for that name.
        EventReporter events = EventReporter.start(api, new EventBook("kube-proxy", "kube-proxy-" + name));
        events.happened(Happening.starting(name));
        Optional<NodeReporter> node = settings.nodeAddresses().map(duty -> {
            NodeReporter reporter = NodeReporter.start(
                    api,
                    new NodeReporter.Wanted(
                            name,
                            duty,
                            () -> subjects.node().get().given(),
                            subjects.addresses()::ofHost,
                            name),
                    events::happened);
            subjects.addresses().onChange(reporter::nudge);
            subjects.store().onNodes(reporter::nudge);
            return reporter;
        });
        if (settings.podIps() && subjects.pods().isEmpty()) {
            LOG.warn("addresses of pods are not compared: no container runtime is followed next=\"start with --cri\"");
        }
        Optional<PodReporter> pods = subjects.pods()
                .filter(side -> settings.podIps())
                .map(side -> PodReporter.start(
                        api, new PodReporter.Wanted(name, side::pods, side::names), events::happened));
        return new ClusterReports(events, node, pods);
    }

    /** Why the own Node object does not say what it should. */
    List<String> troubles() {
        List<String> troubles = new ArrayList<>();
        node.flatMap(NodeReporter::trouble).ifPresent(why -> troubles.add("addresses of the Node object: " + why));
        return troubles;
    }

    /** For metrics. */
    Optional<PodIpFigures> podIps() {
        return pods.map(PodReporter::figures);
    }

    /** Makes an event of each health-check port that cannot be opened. */
    HealthPortListener healthPorts(String nodeName) {
        return (service, where, why) -> events.happened(
                Happening.noHealthCheckPort(nodeName, service.namespace(), service.name(), where.port(), why));
    }

    @Override
    public void close() {
        pods.ifPresent(PodReporter::close);
        node.ifPresent(NodeReporter::close);
        events.close();
    }
}
