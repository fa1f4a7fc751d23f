/**
 * The connections to the API server: {@link io.dualstackd.kubeapi.client.io.ClusterSource} keeps the store equal to the server's objects,
 * {@link io.dualstackd.kubeapi.client.io.RestClient} makes single requests.
 *
 * <p>In: address and credentials; responses. Out: updates of the {@link io.dualstackd.kubeapi.store.io.Store}; status. Must not
 * touch: the meaning of objects.
 *
 * <p>The one surprising thing: nothing is queued. Everything happens on the one thread {@code api}, which reads a socket, decodes what it
 * read and passes it to the store before it reads on; when that takes time, the server waits.
 *
 * <p>BoringSSL and epoll are native libraries that Netty unpacks from their jars into {@code java.io.tmpdir}. Where that is mounted noexec, point
 * {@code -Dio.netty.native.workdir} to a directory that is not, or unpack the libraries and name their directory in
 * {@code -Djava.library.path}; without them the JDK's TLS and selectors do the same with more memory.
 */
@NullMarked
package io.dualstackd.kubeapi.client.io;

import org.jspecify.annotations.NullMarked;
