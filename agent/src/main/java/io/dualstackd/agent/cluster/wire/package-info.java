/**
 * How the API server writes lists, watches and errors, read as the bytes come: Kubernetes' protobuf encoding, and JSON where a server
 * has no other.
 *
 * <p>In: pieces of an answer's body, cut anywhere. Out: objects as records of {@code agent.api}, one by one, with what is needed to go on
 * from there. Must not touch: sockets, threads, the store.
 *
 * <p>The one surprising thing: no answer is ever held as a whole. A list of 20,000 slices has 60 MB, the records made of it 6.
 */
@NullMarked
package io.dualstackd.agent.cluster.wire;

import org.jspecify.annotations.NullMarked;
