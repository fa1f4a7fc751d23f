package io.dualstackd.admin;

import io.dualstackd.kubeapi.tree.Tree;
import java.util.List;

/** This node as a {@code v1/Node} object, with the fields that a daemon knows. */
public final class OwnNode {
    private OwnNode() {}

    /** The node with its addresses in order, and the version of the daemon as that of its proxy. */
    public static Tree.Mapping of(StatusReport report) {
        List<Tree.Mapping> addresses = report.addresses().chosen().stream()
                .map(address -> Tree.object("address", address.address()).with("type", address.type()))
                .toList();
        return Tree.object("apiVersion", "v1")
                .with("kind", "Node")
                .with("metadata", Tree.object("name", report.node()))
                .with(
                        "status",
                        Tree.object("addresses", addresses)
                                .with("nodeInfo", Tree.object("kubeProxyVersion", report.version())));
    }
}
