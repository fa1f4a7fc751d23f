package io.dualstackd.agent.lab;

import io.dualstackd.cri.v1.DNSConfig;
import java.util.Map;
import java.util.TreeMap;

/**
 * A pod to be run.
 *
 * @param attempt counts up when the sandbox of the same pod is made again
 * @param port where it serves HTTP; 0 for a sandbox without a container
 * @param dns lines of its resolv.conf; the default instance for those of the machine
 */
public record LabPodSpec(
        String namespace,
        String name,
        int attempt,
        Map<String, String> labels,
        boolean hostNetwork,
        int port,
        DNSConfig dns) {
    public static final int USUAL_PORT = 8080;

    public LabPodSpec {
        labels = Map.copyOf(labels);
    }

    /** Serves on {@link #USUAL_PORT}, in namespace {@code default}, without labels of its own. */
    public static LabPodSpec named(String name) {
        return new LabPodSpec("default", name, 0, Map.of(), false, USUAL_PORT, DNSConfig.getDefaultInstance());
    }

    public LabPodSpec in(String namespace) {
        return new LabPodSpec(namespace, name, attempt, labels, hostNetwork, port, dns);
    }

    public LabPodSpec attempt(int attempt) {
        return new LabPodSpec(namespace, name, attempt, labels, hostNetwork, port, dns);
    }

    public LabPodSpec label(String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return new LabPodSpec(namespace, name, attempt, more, hostNetwork, port, dns);
    }

    /** In the network of the node, where ports are shared. */
    public LabPodSpec onHostNetwork(int port) {
        return new LabPodSpec(namespace, name, attempt, labels, true, port, dns);
    }

    public LabPodSpec port(int port) {
        return new LabPodSpec(namespace, name, attempt, labels, hostNetwork, port, dns);
    }

    public LabPodSpec dns(DNSConfig dns) {
        return new LabPodSpec(namespace, name, attempt, labels, hostNetwork, port, dns);
    }

    /** A sandbox and nothing in it. */
    public LabPodSpec withoutContainer() {
        return port(0);
    }

    /** The same for every attempt. */
    public String uid() {
        return namespace + "-" + name + "-uid";
    }
}
