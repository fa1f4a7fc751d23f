/**
 * The data plane's view of this node: settings, the Node object and the actual addresses combined.
 *
 * <p>In: {@link io.dualstackd.node.NodeSettings}, an optional {@code v1/Node}, the addresses found. Out:
 * {@link io.dualstackd.dataplane.model.NodeView} per family. Must not touch: the kernel; that is {@code node.io}.
 *
 * <p>The one surprising thing: the view holds the node's addresses only where rules depend on them. Otherwise an address that
 * is added or removed would cause a new plan for every Service.
 */
@NullMarked
package io.dualstackd.node;

import org.jspecify.annotations.NullMarked;
