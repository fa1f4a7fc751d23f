package io.dualstackd.agent.report;

/**
 * The object an event is about.
 *
 * @param namespace empty outside of namespaces
 * @param uid may be empty when not known
 */
public record Regarding(String apiVersion, String kind, String namespace, String name, String uid) {
    /** A Node, which events know by its name alone: that is how kubelet and kube-proxy name it, and what {@code kubectl} looks for. */
    public static Regarding node(String name) {
        return new Regarding("v1", "Node", "", name, name);
    }

    public static Regarding service(String namespace, String name) {
        return new Regarding("v1", "Service", namespace, name, "");
    }

    public static Regarding pod(String namespace, String name, String uid) {
        return new Regarding("v1", "Pod", namespace, name, uid);
    }

    /** Events about things outside of namespaces are in this one. */
    String eventNamespace() {
        return namespace.isEmpty() ? "default" : namespace;
    }
}
