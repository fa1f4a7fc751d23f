/**
 * The conversation with the container runtime: gRPC over its Unix socket.
 *
 * <p>In: an endpoint, questions. Out: {@link io.dualstackd.pods.cri.RuntimeResult}s with records of {@code agent.cri}, and events on the thread
 * {@code cri}. Must not touch: what pods there are; that is decided in {@code agent.pod}. Nothing here repeats a question.
 *
 * <p>The one surprising thing: nothing of gRPC and Netty is loaded before a {@link io.dualstackd.pods.cri.io.RuntimeClient} is opened, so a
 * daemon without a runtime pays nothing for either.
 */
@NullMarked
package io.dualstackd.pods.cri.io;

import org.jspecify.annotations.NullMarked;
