/**
 * What a container runtime tells, as values of ours: sandboxes, containers, events, conditions, and what became of a question.
 *
 * <p>In: messages generated from {@code cri-proto}. Out: records without a protobuf class in them. Must not touch: sockets, gRPC;
 * that is {@code agent.cri.io}. Nothing is interpreted here: which sandbox is a pod's newest and which addresses count is decided in
 * {@code agent.pod}.
 *
 * <p>The one surprising thing: ready is protobuf's zero value, so a sandbox about whose state the runtime said nothing is ready, while
 * a state that we have no name for is not.
 */
@NullMarked
package io.dualstackd.pods.cri;

import org.jspecify.annotations.NullMarked;
