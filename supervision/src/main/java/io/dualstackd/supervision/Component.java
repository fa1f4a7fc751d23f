package io.dualstackd.supervision;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The components that run on their own: threads, event loops, and chains of callbacks. Each has a {@link Heartbeat}. A component that is
 * silent for longer than its deadline is reported as overdue; one that is silent for twice as long ends the process, so that it is started
 * again; the rules stay in the kernel meanwhile.
 */
public enum Component {
    /** A sync of a large cluster is one piece of work without a beat in between. */
    DATAPLANE_IPV4("dataplane-ipv4", 150, true, "programs IPv4 rules in the kernel"),
    DATAPLANE_IPV6("dataplane-ipv6", 150, true, "programs IPv6 rules in the kernel"),
    RULES("rules", 45, true, "receives from nf_tables what other programs change in our rules"),
    ADDRESSES("addresses", 45, true, "follows links, addresses and default routes by rtnetlink"),
    /** A resolver with several servers and search domains that do not respond takes minutes. */
    NAMES("names", 300, false, "resolves the node's name in DNS"),
    MANIFESTS("manifests", 120, true, "watches the manifest folder and keeps the ledger"),
    SETTINGS("settings", 90, false, "watches the configuration and reads it again"),
    HEALTH("health", 45, true, "answers over HTTP: health, metrics, health-check node ports", "bind-"),
    HEALTH_IPV6("health-ipv6", 45, true, "listens for HTTP on IPv6 that was switched on after the process started"),
    /** A page may wait several times for ten seconds for an answer of the kernel, once for each family and kind of counter. */
    HEALTH_SLOW("health-slow", 150, false, "makes the pages that take long, while one is asked for"),
    UI("ui", 90, false, "shows the page in the browser"),
    ADMIN("admin", 45, false, "answers on the admin socket", "admin-"),
    /** A round requests each new sandbox from the runtime, one after the other. */
    PODS("pods", 150, true, "lists this node's pods"),
    CNI("cni", 90, false, "writes the CNI configuration for this node's pods"),
    CRI("cri", 45, true, "holds the connection to the container runtime and its stream of events"),
    API("api", 45, true, "holds the connections to the API server"),
    /** As {@link #NAMES}; a credential plugin ends within two minutes. */
    API_ACCESS("api-access", 300, true, "reads credentials and looks up the API server's name"),
    SERVICES("services", 60, true, "follows Services of the API server"),
    ENDPOINT_SLICES("endpointslices", 60, true, "follows EndpointSlices of the API server"),
    NODES("nodes", 60, true, "follows this node's Node object"),
    SERVICE_CIDRS("servicecidrs", 60, true, "follows ServiceCIDRs of the API server"),
    DNS("dns", 45, true, "answers DNS questions"),
    DNS_ZONE("dns-zone", 90, true, "brings Services into DNS and opens its addresses"),
    /** One request may take five minutes. */
    EVENTS("events", 360, false, "sends Events to the API server"),
    NODE_STATUS("node-status", 360, false, "keeps the addresses of the Node object"),
    POD_STATUS("pod-status", 360, false, "compares the statuses of this node's pods"),
    NOTIFY("notify", 60, false, "reports the state of the daemon to systemd"),
    HEAP("heap", 150, false, "keeps space free in the young generation"),
    PATIENCE("patience", 60, false, "ends the daemon if the node's pod networks do not become known in time"),
    SUPERVISOR("supervisor", 15, true, "watches all of the above");

    private final String label;
    private final Duration deadline;
    private final boolean required;
    private final String purpose;
    private final Optional<String> helpers;

    Component(String label, int seconds, boolean required, String purpose) {
        this(label, seconds, required, purpose, Optional.empty());
    }

    Component(String label, int seconds, boolean required, String purpose, String helpers) {
        this(label, seconds, required, purpose, Optional.of(helpers));
    }

    Component(String label, int seconds, boolean required, String purpose, Optional<String> helpers) {
        this.label = label;
        this.deadline = Duration.ofSeconds(seconds);
        this.required = required;
        this.purpose = purpose;
        this.helpers = helpers;
    }

    /** The time it may be silent. */
    public Duration deadline() {
        return deadline;
    }

    /** Whether the daemon is unhealthy while the component is overdue. */
    public boolean isRequired() {
        return required;
    }

    /** The purpose of the component, in one sentence. */
    public String purpose() {
        return purpose;
    }

    /** The component that a thread of this name belongs to; empty when it belongs to none. */
    public static Optional<Component> ofThread(String name) {
        return Stream.of(values())
                .filter(component -> component.label.equals(name)
                        || component.helpers.filter(name::startsWith).isPresent())
                .findFirst();
    }

    /** The name in threads, metrics and {@code status}. */
    @Override
    public String toString() {
        return label;
    }
}
