/**
 * The client of the container runtime: gRPC over its Unix socket.
 *
 * <p>In: an endpoint, requests. Out: {@link io.dualstackd.pods.cri.RuntimeResult}s with records of {@code pods.cri}, and events on the
 * thread {@code cri}. Must not touch: which pods exist; that is decided in {@code pods}. Requests are not repeated here.
 *
 * <p>The one surprising thing: nothing of gRPC and Netty is loaded before a {@link io.dualstackd.pods.cri.io.RuntimeClient} is opened, so a
 * daemon without a runtime has no cost from either.
 */
@NullMarked
package io.dualstackd.pods.cri.io;

import org.jspecify.annotations.NullMarked;
