/**
 * How the API server writes lists, watches and errors, read as the bytes come: Kubernetes' protobuf encoding, and JSON where a server
 * has no other.
 *
 * <p>In: pieces of an answer's body, cut anywhere. Out: objects as records of {@code agent.api}, one by one, with what is needed to go on
 * from there. Must not touch: sockets, threads, the store.
 *
 * <p>The one surprising thing: no answer is ever held as a whole (a list of 20,000 slices has 60 MB, the records made of it 6), and no
 * object is validated as those are that people write. An API server has done that; and what it stored years ago under other rules is in
 * force all the same. So a single value that makes no sense is dropped and told, and the rest of its object stays.
 */
@NullMarked
package io.dualstackd.kubeapi.wire;

import org.jspecify.annotations.NullMarked;
