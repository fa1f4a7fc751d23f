package io.dualstackd.node.report;

/**
 * The object that an event is about.
 *
 * @param namespace empty outside of namespaces
 * @param uid may be empty when it is not known
 */
public record ObjectReference(String apiVersion, String kind, String namespace, String name, String uid) {
    /** A Node, which events reference by its name alone: kubelet and kube-proxy do so, and {@code kubectl} searches for it. */
    public static ObjectReference node(String name) {
        return new ObjectReference("v1", "Node", "", name, name);
    }

    public static ObjectReference service(String namespace, String name) {
        return new ObjectReference("v1", "Service", namespace, name, "");
    }

    public static ObjectReference pod(String namespace, String name, String uid) {
        return new ObjectReference("v1", "Pod", namespace, name, uid);
    }

    /** The namespace of events about objects outside of namespaces. */
    String eventNamespace() {
        return namespace.isEmpty() ? "default" : namespace;
    }
}
