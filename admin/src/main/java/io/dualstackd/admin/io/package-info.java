/**
 * The admin socket: {@link io.dualstackd.admin.io.AdminServer} in the daemon, {@link io.dualstackd.admin.io.AdminClient} in
 * commands.
 *
 * <p>In: one line, {@code status text}, {@code pods yaml}, {@code pod json shop/web}, {@code get services wide *}, …; after
 * {@code apply shop now web.yaml 120} a text of that many bytes. Out: a first line {@code ok}, {@code unhealthy} or {@code error}, then the
 * answer, then the end of the stream. Must not touch: the state of the daemon, other than by requesting a report.
 *
 * <p>The one surprising thing: the socket is created under another name, accessible only to its owner, and then renamed into place. So
 * there is no moment at which other users could connect, and a socket file left by a dead daemon is replaced by the rename.
 */
@NullMarked
package io.dualstackd.admin.io;

import org.jspecify.annotations.NullMarked;
