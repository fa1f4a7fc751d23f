/**
 * What this node is, for the data plane: settings, the Node object and the real addresses put together.
 *
 * <p>In: {@link io.dualstackd.node.NodeSettings}, an optional {@code v1/Node}, the addresses found. Out:
 * {@link io.dualstackd.dataplane.model.NodeView} per family. Must not touch: the kernel; that is {@code agent.node.io}.
 *
 * <p>The one surprising thing: the view holds the node's addresses only where rules depend on them. Otherwise an address that
 * comes and goes would cause every Service to be planned again for nothing.
 */
@NullMarked
package io.dualstackd.node;

import org.jspecify.annotations.NullMarked;
