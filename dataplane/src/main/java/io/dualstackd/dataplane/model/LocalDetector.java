package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.IpPrefix;

/** How to detect that a packet comes from a pod of this node ({@code detectLocalMode}), in one family. */
public sealed interface LocalDetector {
    /** No detection: ClusterIP traffic is not masqueraded, and pods are not short-circuited. */
    record None() implements LocalDetector {}

    /** The source lies in {@code pods}: the cluster's pod network or the node's part of it. */
    record SourceIn(IpPrefix pods) implements LocalDetector {}

    /** The packet comes in through the bridge {@code name}. */
    record FromBridge(String name) implements LocalDetector {}

    /** The packet comes in through an interface whose name starts with {@code prefix}. */
    record FromInterfacePrefix(String prefix) implements LocalDetector {}

    LocalDetector NONE = new None();
}
