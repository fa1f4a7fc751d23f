package io.dualstackd.agent.lab;

import java.util.Map;
import java.util.TreeMap;

/**
 * A pod to be run.
 *
 * @param attempt counts up when the sandbox of the same pod is made again
 * @param port where it serves HTTP; 0 for a sandbox without a container
 */
public record PodWish(
        String namespace, String name, int attempt, Map<String, String> labels, boolean hostNetwork, int port) {
    public static final int USUAL_PORT = 8080;

    public PodWish {
        labels = Map.copyOf(labels);
    }

    /** Serves on {@link #USUAL_PORT}, in namespace {@code default}, without labels of its own. */
    public static PodWish named(String name) {
        return new PodWish("default", name, 0, Map.of(), false, USUAL_PORT);
    }

    public PodWish in(String namespace) {
        return new PodWish(namespace, name, attempt, labels, hostNetwork, port);
    }

    public PodWish attempt(int attempt) {
        return new PodWish(namespace, name, attempt, labels, hostNetwork, port);
    }

    public PodWish label(String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return new PodWish(namespace, name, attempt, more, hostNetwork, port);
    }

    /** In the network of the node, where ports are shared. */
    public PodWish onHostNetwork(int port) {
        return new PodWish(namespace, name, attempt, labels, true, port);
    }

    public PodWish port(int port) {
        return new PodWish(namespace, name, attempt, labels, hostNetwork, port);
    }

    /** A sandbox and nothing in it. */
    public PodWish withoutContainer() {
        return port(0);
    }

    /** The same for every attempt. */
    public String uid() {
        return namespace + "-" + name + "-uid";
    }
}
