/**
 * Decoders for lists, watches and errors of the API server, which read bytes as they arrive: Kubernetes' protobuf encoding, and JSON for
 * servers without it.
 *
 * <p>In: pieces of a response's body, split at any position. Out: objects as records of {@link io.dualstackd.kubeapi.objects}, one by one, with the versions
 * needed to continue from there. Must not touch: sockets, threads, the store.
 *
 * <p>The one surprising thing: a response is never held as a whole (a list of 20,000 slices has 60 MB, the records made of it 6), and
 * objects are not validated in the way that manifests are. An API server has done that; and what it stored years ago under other rules is
 * still in force. So a single invalid value is dropped and reported, and the rest of its object stays.
 */
@NullMarked
package io.dualstackd.kubeapi.wire;

import org.jspecify.annotations.NullMarked;
