/**
 * The conversation with the API server: {@link io.dualstackd.kubeapi.client.io.ClusterSource} keeps the store equal to what the server has,
 * {@link io.dualstackd.kubeapi.client.io.RestClient} asks single questions.
 *
 * <p>In: where the server is and who we are; answers. Out: updates of the {@link io.dualstackd.kubeapi.store.io.Store}; how it stands. Must not
 * touch: what objects mean.
 *
 * <p>The one surprising thing: nothing is queued. Everything happens on the one thread {@code api}, which reads a socket, decodes what it read
 * and hands it to the store before it reads on; when that takes time, it is the server who waits.
 *
 * <p>BoringSSL and epoll are native libraries that Netty unpacks from their jars into {@code java.io.tmpdir}. Where that is mounted noexec, point
 * {@code -Dio.netty.native.workdir} to a directory that is not, or unpack the libraries and name their directory in
 * {@code -Djava.library.path}; without them the JDK's TLS and selectors do the same with more memory.
 */
@NullMarked
package io.dualstackd.kubeapi.client.io;

import org.jspecify.annotations.NullMarked;
