package io.dualstackd.node.report;

/**
 * The object an event is about.
 *
 * @param namespace empty outside of namespaces
 * @param uid may be empty when not known
 */
public record ObjectReference(String apiVersion, String kind, String namespace, String name, String uid) {
    /** A Node, which events know by its name alone: that is how kubelet and kube-proxy name it, and what {@code kubectl} looks for. */
    public static ObjectReference node(String name) {
        return new ObjectReference("v1", "Node", "", name, name);
    }

    public static ObjectReference service(String namespace, String name) {
        return new ObjectReference("v1", "Service", namespace, name, "");
    }

    public static ObjectReference pod(String namespace, String name, String uid) {
        return new ObjectReference("v1", "Pod", namespace, name, uid);
    }

    /** Events about things outside of namespaces are in this one. */
    String eventNamespace() {
        return namespace.isEmpty() ? "default" : namespace;
    }
}
