/**
 * Data of a container runtime as records: sandboxes, containers, conditions, and the results of requests. Only what is used of it.
 *
 * <p>In: messages generated from {@code cri-proto}. Out: records without a protobuf class in them. Must not touch: sockets, gRPC; that is
 * {@code pods.cri.io}. Nothing is interpreted here: which sandbox is a pod's newest and which addresses count is decided in {@code pods}.
 *
 * <p>The one surprising thing: ready is protobuf's zero value, so a sandbox whose state the runtime does not report is ready, while a state
 * without a name here is not.
 */
@NullMarked
package io.dualstackd.pods.cri;

import org.jspecify.annotations.NullMarked;
